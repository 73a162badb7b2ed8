/* Figure 7 of the RV paper: y is written behind a branch on x, and x is set and
   taken back by the other thread before that writes y. Without the write that
   takes it back, and the lock around it, y would be written by both at once.
   sliced: none */
#include "two.h"
int x, y;

static void
first (void)
{
  LOCKED (if (x == 1) y = 2);
}

static void
second (void)
{
  LOCKED (x = 1);
  LOCKED (x = 0);
  y = 3;
}
