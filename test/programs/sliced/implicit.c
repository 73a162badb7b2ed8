/* The value that is stored was computed from something else; which of two was
   decided by what was read.
   sliced: none */
#include "two.h"
volatile unsigned four = 4;
unsigned go;
int ready, x;

static void
first (void)
{
  x = 1;
  LOCKED (ready = 1);
}

static APART unsigned
choose (int seen, unsigned n)
{
  unsigned chosen;
  if (seen)
    chosen = (n * 7919 % 1009 + n * 31 % 17) * (n ^ 12345) % 99991;
  else
    chosen = (n / 3 + n % 5) * n % 1013 - n * n % 29;
  return chosen;
}

static void
second (void)
{
  int seen;
  LOCKED (seen = ready);
  go = choose (seen, four);
  if (go > 500)
    x = 2;
}
