// hang: condition thread
// std::condition_variable without a predicate: the notification comes first.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static bool set;

int
main ()
{
  {
    std::lock_guard<std::mutex> guard (lock);
    set = true;
    ready.notify_all ();
  }
  std::thread waiter ([] {
    std::unique_lock<std::mutex> guard (lock);
#ifdef FIXED
    ready.wait (guard, [] { return set; });
#else
    ready.wait (guard);
#endif
  });
  waiter.join ();
}
