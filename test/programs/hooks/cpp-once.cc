// call_once and static locals, also when the first try throws.
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::once_flag flag;
static int made, tries;

struct box {
  int value;
  box ()
  {
    if (tries++ == 0)
      throw std::runtime_error ("not yet");
    value = 7;
  }
};

static int
use ()
{
  std::call_once (flag, [] { made++; });
  static int local = [] { return made + 1; }();
  return local;
}

static int
open_box ()
{
  static box b;
  return b.value;
}

int
main ()
{
  std::vector<std::thread> threads;
  std::vector<int> seen (4);
  for (int i = 0; i < 4; i++)
    threads.emplace_back ([&seen, i] { seen[i] = use (); });
  for (auto &t : threads)
    t.join ();
  std::printf ("%d %d %d\n", made, seen[0], seen[3]);
  try {
    open_box ();
  } catch (const std::runtime_error &e) {
    std::puts (e.what ());
  }
  std::printf ("%d\n", open_box ());
  std::once_flag twice;
  try {
    std::call_once (twice, [] { throw 1; });
  } catch (int) {
    std::puts ("thrown");
  }
  std::call_once (twice, [] { std::puts ("done"); });
}
