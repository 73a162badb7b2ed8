/* a compare-exchange that finds what it wants while the other thread reads
   omen: race */
#include "two.h"

#include <stdbool.h>

static volatile int x;

static void *
first (void *arg)
{
  int seen = x;
  return seen == 7 ? arg : NULL;
}

static void *
second (void *arg)
{
  int none = 0;
  __atomic_compare_exchange_n (&x, &none, 2, false, __ATOMIC_SEQ_CST,
                               __ATOMIC_SEQ_CST);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
