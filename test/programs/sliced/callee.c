/* The branch is around a call, the write in the function that is called, and in
   one that this calls.
   sliced: none */
#include "two.h"
int ready, x;

static APART void
write_x (int value)
{
  x = value;
}

static APART void
act (void)
{
  write_x (2);
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
  int seen;
  LOCKED (seen = ready);
  if (seen)
    act ();
}
