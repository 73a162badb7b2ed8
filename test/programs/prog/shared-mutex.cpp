/* std::shared_mutex
   omen: none */
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static volatile int x, seen;

int
main ()
{
  std::thread writer ([] {
    std::unique_lock<std::shared_mutex> guard (m);
    x = 1;
  });
  std::thread reader ([] {
    std::shared_lock<std::shared_mutex> guard (m);
    seen = x;
  });
  writer.join ();
  reader.join ();
  return 0;
}
