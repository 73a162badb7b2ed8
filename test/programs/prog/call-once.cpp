/* std::call_once
   omen: none */
#include <mutex>
#include <thread>

static std::once_flag once;
static volatile int x;

static void
work ()
{
  std::call_once (once, [] { x = 7; });
  if (x != 7)
    __builtin_trap ();
}

int
main ()
{
  std::thread a (work), b (work);
  a.join ();
  b.join ();
  return 0;
}
