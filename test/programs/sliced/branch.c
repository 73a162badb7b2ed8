/* The write is behind a branch.
   sliced: none */
#include "two.h"
int ready, x;

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
  if (seen)
    x = 2;
}
