/* A pool of threads that is correct, with 20 tasks and their futures: what its
   workers cannot do is known only from the whole run. */
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class pool {
  std::vector<std::thread> workers;
  std::queue<std::function<void ()> > tasks;
  std::mutex lock;
  std::condition_variable more;
  bool stop = false;

  void
  work ()
  {
    for (;;) {
      std::function<void ()> task;
      {
        std::unique_lock<std::mutex> held (lock);
        more.wait (held, [this] { return stop || !tasks.empty (); });
        if (stop && tasks.empty ())
          return;
        task = std::move (tasks.front ());
        tasks.pop ();
      }
      task ();
    }
  }

public:
  explicit pool (int count)
  {
    for (int i = 0; i < count; i++)
      workers.emplace_back ([this] { work (); });
  }
  std::future<int>
  run (std::function<int ()> what)
  {
    auto task = std::make_shared<std::packaged_task<int ()> > (std::move (what));
    {
      std::lock_guard<std::mutex> held (lock);
      tasks.emplace ([task] { (*task) (); });
    }
    more.notify_one ();
    return task->get_future ();
  }
  ~pool ()
  {
    {
      std::lock_guard<std::mutex> held (lock);
      stop = true;
    }
    more.notify_all ();
    for (auto &worker : workers)
      worker.join ();
  }
};

int
main ()
{
  int sum = 0;
  pool workers (3);
  std::vector<std::future<int> > results;
  for (int i = 0; i < 20; i++)
    results.push_back (workers.run ([i] { return i * i; }));
  for (auto &result : results)
    sum += result.get ();
  return sum != 2470;
}
