/* A way ends the program, the other goes on.
   sliced: none */
#include "two.h"
#include <stdlib.h>
int ready, x;

static void
first (void)
{
  x = 1;
  LOCKED (ready = 1);
}

static APART void
give_up (void)
{
  exit (0);
}

static void
second (void)
{
  int seen;
  LOCKED (seen = ready);
  if (!seen)
    give_up ();
  x = 2;
}
