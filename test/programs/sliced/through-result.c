/* The read is in a function that returns what it read.
   sliced: none */
#include "two.h"
int ready, x;

static APART int
is_ready (void)
{
  int seen;
  LOCKED (seen = ready);
  return seen;
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
  if (is_ready ())
    x = 2;
}
