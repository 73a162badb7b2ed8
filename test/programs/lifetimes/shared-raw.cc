/* lifetime: use-after-free
   A raw pointer is taken out of a shared_ptr, and used when the last owner may be
   gone. */
#include <memory>
#include <mutex>

#include "two.h"

struct page {
  int visits = 0;
};

static std::mutex lock;
static std::shared_ptr<page> open_page;

static void *
visits (void *arg)
{
#ifdef FIXED
  std::shared_ptr<page> p;
#else
  page *p;
#endif
  {
    std::lock_guard<std::mutex> held (lock);
#ifdef FIXED
    p = open_page;
#else
    p = open_page.get ();
#endif
  }
  if (p) {
    std::lock_guard<std::mutex> held (lock);
    p->visits++;
  }
  return arg;
}

static void *
closes (void *arg)
{
  later ();
  std::lock_guard<std::mutex> held (lock);
  open_page.reset ();
  return arg;
}

int
main ()
{
  open_page = std::make_shared<page> ();
  run_two (visits, closes);
  return 0;
}
