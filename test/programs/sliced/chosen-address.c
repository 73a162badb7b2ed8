/* No branch at all: an address is chosen by arithmetic.
   sliced: none */
#include "two.h"
int ready, x, other;

static void
first (void)
{
  x = 1;
  LOCKED (ready = 1);
}

static void
second (void)
{
  int *places[] = { &other, &x };
  int seen;
  LOCKED (seen = ready);
  *places[seen & 1] = 2;
}
