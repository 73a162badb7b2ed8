/* A counter lies between the accesses; nobody decides anything by it.
   sliced: race */
#include "two.h"
int count, x;

static void
first (void)
{
  x = 1;
  LOCKED (count++);
}

static void
second (void)
{
  LOCKED (count++);
  x = 2;
}
