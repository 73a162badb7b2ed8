/* A loop without any event, which does not end unless ready was seen.
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
  int seen;
  LOCKED (seen = ready);
  while (!seen)
    __asm__ volatile ("");
  x = 2;
}
