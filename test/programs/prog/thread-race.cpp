/* std::thread alone
   omen: race */
#include <thread>

static volatile int x;

int
main ()
{
  std::thread a ([] { x = 1; }), b ([] { x = 2; });
  a.join ();
  b.join ();
  return 0;
}
