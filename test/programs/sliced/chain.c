/* One thread copies, the other decides by the copy: what was copied is needed,
   to a fixed point.
   sliced: none */
#include "two.h"
int ready, copy, again, x;

static void
first (void)
{
  int seen;
  x = 1;
  LOCKED (ready = 1);
  LOCKED (seen = ready);
  LOCKED (copy = seen);
  LOCKED (again = copy);
}

static void
second (void)
{
  int seen;
  LOCKED (seen = again);
  if (seen)
    x = 2;
}
