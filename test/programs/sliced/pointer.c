/* A pointer that is handed over; without it, the program ends there.
   sliced: none */
#include "two.h"
int x, y, *_Atomic where;

static void
first (void)
{
  x = 1;
  where = &x;
}

static void
second (void)
{
  int *p = where;
  if (p)
    *p = 2;
}
