/* What was read decides over a flag, the flag over the write; the flag is the
   thread's own.
   sliced: none */
#include "two.h"
int ready, go, x;

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
  if (seen)
    go = 1;
  if (go)
    x = 2;
}
