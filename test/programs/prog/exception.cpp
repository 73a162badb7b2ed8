/* an exception lets go of the lock
   omen: none */
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static volatile int x;

static void
fail ()
{
  std::lock_guard<std::mutex> guard (m);
  x = x + 1;
  throw std::runtime_error ("no");
}

static void
work ()
{
  try {
    fail ();
  } catch (const std::runtime_error &) {
    std::lock_guard<std::mutex> guard (m);
    x = x + 1;
  }
}

int
main ()
{
  std::thread a (work), b (work);
  a.join ();
  b.join ();
  return x == 4 ? 0 : 1;
}
