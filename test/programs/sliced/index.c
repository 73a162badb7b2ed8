/* Which element is written depends on what was read.
   sliced: none */
#include "two.h"
int chosen, x[2];

static void
first (void)
{
  x[1] = 1;
  LOCKED (chosen = 1);
}

static void
second (void)
{
  int i;
  LOCKED (i = chosen);
  x[i] = 2;
}
