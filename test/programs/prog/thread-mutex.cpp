/* std::thread and std::mutex
   omen: none */
#include <mutex>
#include <thread>

static std::mutex m;
static volatile int x;

static void
work ()
{
  std::lock_guard<std::mutex> guard (m);
  x = x + 1;
}

int
main ()
{
  std::thread a (work), b (work);
  a.join ();
  b.join ();
  return x == 2 ? 0 : 1;
}
