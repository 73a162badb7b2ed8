/* The branch is in a function that gets what was read.
   sliced: none */
#include "two.h"
int ready, x;

static APART void
act (int seen)
{
  if (seen)
    x = 2;
}

static void
first (void)
{
  x = 1;
  LOCKED (ready = 1);
}

static void
second (void)
{
  int seen;
  LOCKED (seen = ready);
  act (seen);
}
