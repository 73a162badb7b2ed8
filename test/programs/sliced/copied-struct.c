/* A struct is copied and a member of the copy decides.
   sliced: none */
#include "two.h"
struct state {
  int filler[3], ready;
} state;
int x;

static void
first (void)
{
  x = 1;
  LOCKED (state.ready = 1);
}

static void
second (void)
{
  struct state seen;
  LOCKED (seen = state);
  if (seen.ready)
    x = 2;
}
