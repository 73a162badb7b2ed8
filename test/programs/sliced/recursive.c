/* The value comes up through calls of the same function.
   sliced: none */
#include "two.h"
int ready[3], x;

static APART int
sum (int i)
{
  int value;
  if (i == 3)
    return 0;
  LOCKED (value = ready[i]);
  return value + sum (i + 1);
}

static void
first (void)
{
  x = 1;
  LOCKED (ready[0] = 1);
}

static void
second (void)
{
  if (sum (0))
    x = 2;
}
