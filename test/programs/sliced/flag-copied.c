/* What was read is stored in memory that only this thread uses, and read again
   before it decides.
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

static void
second (void)
{
  int *mine = malloc (sizeof *mine);
  LOCKED (*mine = ready);
  if (*mine)
    x = 2;
  free (mine);
}
