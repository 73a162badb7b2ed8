/* A function of this file is called by its address.
   sliced: none */
#include "two.h"
int ready, x;

static APART void
act (int seen)
{
  if (seen)
    x = 2;
}
void (*volatile action) (int) = act;

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
  action (seen);
}
