/* A loop that may not end comes before the write, which is in no branch.
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
  do
    LOCKED (seen = ready);
  while (!seen);
  x = 2;
}
