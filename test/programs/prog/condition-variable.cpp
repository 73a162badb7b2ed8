/* std::condition_variable
   omen: none */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready;
static volatile int x;

int
main ()
{
  std::thread waiter ([] {
    std::unique_lock<std::mutex> guard (m);
    c.wait (guard, [] { return ready; });
    x = x + 1;
  });
  x = 1;
  {
    std::lock_guard<std::mutex> guard (m);
    ready = true;
  }
  c.notify_one ();
  waiter.join ();
  return x == 2 ? 0 : 1;
}
