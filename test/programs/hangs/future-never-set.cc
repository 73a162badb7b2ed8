// hang: condition thread
// A worker that fails forgets the promise: std::future waits at a futex.
#include <future>
#include <thread>

static void
work (std::promise<int> *result, bool fails)
{
#ifndef FIXED
  if (fails)
    return;
#endif
  result->set_value (fails ? -1 : 1);
}

int
main ()
{
  std::promise<int> good, bad;
  std::future<int> first = good.get_future (), second = bad.get_future ();
  std::thread one (work, &good, false), two (work, &bad, true);
  std::thread reader ([&] { first.get (), second.get (); });
  one.join ();
  two.join ();
  reader.join ();
}
