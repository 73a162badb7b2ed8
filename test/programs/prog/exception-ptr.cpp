/* the library frees an exception when its last user is gone
   omen: none */
#include <exception>
#include <thread>

struct trouble {
  int number;
};

static void
look (std::exception_ptr what)
{
  try {
    std::rethrow_exception (what);
  } catch (trouble &t) {
    if (t.number != 5)
      __builtin_trap ();
  }
}

int
main ()
{
  std::exception_ptr what;
  try {
    throw trouble{ 5 };
  } catch (...) {
    what = std::current_exception ();
  }
  std::thread a (look, what), b (look, what);
  what = nullptr;
  a.join ();
  b.join ();
  return 0;
}
