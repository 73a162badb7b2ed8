// What C++20 builds on atomics and futexes.
//+ -std=c++20
//: rmw >=10
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

static std::counting_semaphore<4> slots (2);
static std::binary_semaphore go (0);
static std::latch started (3);
static std::barrier<> rounds (3);
static std::atomic<int> flag;
static int shared[3];

static void
work (int me)
{
  started.arrive_and_wait ();
  for (int i = 0; i < 3; i++) {
    shared[me]++;
    rounds.arrive_and_wait ();
  }
  slots.acquire ();
  slots.release ();
  flag.wait (0);
}

int
main ()
{
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back (work, i);
  std::thread waiter ([] { go.acquire (); });
  flag = 1;
  flag.notify_all ();
  go.release ();
  for (auto &t : threads)
    t.join ();
  waiter.join ();
  std::printf ("%d %d %d\n", shared[0], shared[1], shared[2]);
}
