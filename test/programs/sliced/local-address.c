/* Through a local whose address is passed on.
   sliced: none */
#include "two.h"
int ready, x;

static APART void
get (int *to)
{
  LOCKED (*to = ready);
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
  int seen = 0;
  get (&seen);
  if (seen)
    x = 2;
}
