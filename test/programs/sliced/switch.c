/* One way of many.
   sliced: none */
#include "two.h"
int ready, x, other;

static void
first (void)
{
  x = 1;
  LOCKED (ready = 2);
}

static void
second (void)
{
  int seen;
  LOCKED (seen = ready);
  switch (seen) {
  case 0:
    other = 1;
    break;
  case 1:
    other = 2;
    break;
  case 2:
    x = 2;
    break;
  default:
    other = 3;
  }
}
