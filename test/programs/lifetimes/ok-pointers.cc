/* lifetime: none
   shared_ptr, weak_ptr, unique_ptr by a queue and by a future. */
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

enum { ROUNDS = 10 };

struct node {
  int value;
  std::shared_ptr<node> next;
  ~node () { value = -1; }
};

static std::mutex lock;
static std::condition_variable came;
static std::shared_ptr<node> head;
static std::weak_ptr<node> first;
static std::queue<std::unique_ptr<int>> boxes;
static std::atomic<long> sum;

static void
reads ()
{
  for (int i = 0; i < ROUNDS; i++) {
    std::unique_lock<std::mutex> section (lock);
    std::shared_ptr<node> list = head;
    section.unlock ();
    for (; list; list = list->next)
      sum += list->value;
    if (std::shared_ptr<node> n = first.lock ())
      sum += n->value;
  }
}

static void
writes ()
{
  for (int i = 0; i < ROUNDS; i++) {
    auto n = std::make_shared<node> ();
    n->value = i;
    std::lock_guard<std::mutex> section (lock);
    n->next = i % 4 ? head : nullptr;
    head = n;
    boxes.push (std::make_unique<int> (i));
    came.notify_one ();
  }
}

static void
takes ()
{
  for (int i = 0; i < ROUNDS; i++) {
    std::unique_lock<std::mutex> section (lock);
    came.wait (section, [] { return !boxes.empty (); });
    std::unique_ptr<int> box = std::move (boxes.front ());
    boxes.pop ();
    section.unlock ();
    sum += *box;
  }
}

int
main ()
{
  std::promise<std::unique_ptr<int>> promise;
  std::future<std::unique_ptr<int>> future = promise.get_future ();
  head = std::make_shared<node> ();
  first = head;
  std::thread threads[] = {
    std::thread (reads), std::thread (writes), std::thread (takes),
    std::thread ([&] { promise.set_value (std::make_unique<int> (4)); })
  };
  sum += *future.get ();
  for (std::thread &thread : threads)
    thread.join ();
  return 0;
}
