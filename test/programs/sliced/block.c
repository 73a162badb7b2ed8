/* A function that is not atomic; a counter keeps the threads in order.
   sliced: atomicity */
#include "two.h"
int count, x;

static APART void
increase (void)
{
  int value;
  LOCKED (value = x);
  LOCKED (x = value + 1);
}

static void
first (void)
{
  increase ();
  LOCKED (count++);
}

static void
second (void)
{
  LOCKED (count++);
  LOCKED (x = 5);
}
