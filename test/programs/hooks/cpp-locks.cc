//: racq 20
//: rrel 20
//: acq =rel
//: tryfail >=1
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::mutex first, second;
static std::recursive_mutex nested;
static std::timed_mutex timed;
static std::shared_mutex shared;
static int count, value;

static void
work (int me)
{
  for (int i = 0; i < 10; i++) {
    std::scoped_lock both (first, second);
    std::lock_guard<std::recursive_mutex> once (nested);
    std::lock_guard<std::recursive_mutex> twice (nested);
    count++;
  }
  for (int i = 0; i < 10; i++)
    if (me == 0) {
      std::unique_lock<std::shared_mutex> all (shared);
      value++;
    } else {
      std::shared_lock<std::shared_mutex> some (shared);
      (void)*(volatile int *)&value;
    }
}

int
main ()
{
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back (work, i);
  for (auto &t : threads)
    t.join ();
  timed.lock ();
  std::thread ([] {
    std::printf ("%d %d\n", timed.try_lock (),
                 timed.try_lock_for (std::chrono::milliseconds (5)));
  }).join ();
  timed.unlock ();
  std::printf ("%d %d\n", count, value);
}
