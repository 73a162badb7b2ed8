/* Values go from one variable to another, through locals and arithmetic.
   sliced: race */
#include "two.h"
int from, to, x;

static void
first (void)
{
  x = 1;
  LOCKED (from = 7);
}

static void
second (void)
{
  int value;
  LOCKED (value = from);
  value = 3 * value + 1;
  LOCKED (to = value);
  x = 2;
}
