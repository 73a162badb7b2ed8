/* Through a parameter and a result of functions of this file.
   sliced: race */
#include "two.h"
int from, to, x;

static APART int
get (void)
{
  int value;
  LOCKED (value = from);
  return value + 1;
}

static APART void
put (int value)
{
  LOCKED (to = value);
}

static void
first (void)
{
  x = 1;
  LOCKED (from = 7);
}

static void
second (void)
{
  put (get ());
  x = 2;
}
