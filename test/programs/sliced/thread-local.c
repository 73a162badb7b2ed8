/* Through a variable of the thread.
   sliced: none */
#include "two.h"
int ready, x;
static _Thread_local int seen;

static APART void
get (void)
{
  LOCKED (seen = ready);
}

static void
first (void)
{
  x = 1;
  LOCKED (ready = 1);
}

static void
second (void)
{
  get ();
  if (seen)
    x = 2;
}
