//: wait =wake
//: acq =rel
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex lock;
static std::shared_mutex shared;
static std::condition_variable one;
static std::condition_variable_any any;
static bool ready, more;

int
main ()
{
  std::thread a ([] {
    std::unique_lock<std::mutex> l (lock);
    one.wait (l, [] { return ready; });
    std::puts ("a");
  });
  a.detach ();
  std::thread b ([] {
    std::unique_lock<std::shared_mutex> l (shared);
    any.wait (l, [] { return more; });
  });
  {
    std::lock_guard<std::mutex> l (lock);
    ready = true;
  }
  one.notify_all ();
  {
    std::lock_guard<std::shared_mutex> l (shared);
    more = true;
  }
  any.notify_one ();
  b.join ();
  std::unique_lock<std::mutex> l (lock);
  auto timeout = one.wait_for (l, std::chrono::milliseconds (50));
  std::printf ("%d\n", timeout == std::cv_status::timeout);
  l.unlock ();
  auto f = std::async (std::launch::async, [] { return 42; });
  std::printf ("%d\n", f.get ());
}
