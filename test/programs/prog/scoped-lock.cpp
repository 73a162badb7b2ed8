/* std::scoped_lock avoids the deadlock
   omen: none */
#include <mutex>
#include <thread>

static std::mutex first, second;
static volatile int x;

int
main ()
{
  std::thread a ([] {
    std::scoped_lock guard (first, second);
    x = x + 1;
  });
  std::thread b ([] {
    std::scoped_lock guard (second, first);
    x = x + 1;
  });
  a.join ();
  b.join ();
  return x == 2 ? 0 : 1;
}
