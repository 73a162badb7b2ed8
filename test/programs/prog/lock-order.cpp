/* the classic, in C++
   omen: deadlock */
#include <mutex>
#include <thread>

static std::mutex first, second;

int
main ()
{
  std::thread a ([] {
    std::lock_guard<std::mutex> one (first);
    std::lock_guard<std::mutex> two (second);
  });
  std::thread b ([] {
    std::lock_guard<std::mutex> two (second);
    std::lock_guard<std::mutex> one (first);
  });
  a.join ();
  b.join ();
  return 0;
}
