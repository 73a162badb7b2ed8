/* An atomic that only its value orders, counted up by both.
   sliced: none */
#include "two.h"
#include <stdatomic.h>
atomic_int count;
int x;

static void
first (void)
{
  x = 1;
  atomic_fetch_add (&count, 1);
}

static void
second (void)
{
  if (atomic_fetch_add (&count, 2) == 1)
    x = 2;
}
