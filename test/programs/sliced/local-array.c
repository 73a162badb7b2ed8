/* Through an array of the function, and a sum over it.
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
  int values[3] = { 0, 0, 0 }, sum = 0;
  LOCKED (values[1] = ready);
  for (int i = 0; i < 3; i++)
    sum += values[i];
  if (sum)
    x = 2;
}
