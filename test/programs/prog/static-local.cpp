/* a static local is made once
   omen: none */
#include <thread>

struct box {
  volatile int value;
  box () : value (7)
  {
  }
};

static box &
the_box ()
{
  static box one;
  return one;
}

static void
work ()
{
  if (the_box ().value != 7)
    __builtin_trap ();
}

int
main ()
{
  std::thread a (work), b (work);
  a.join ();
  b.join ();
  return 0;
}
