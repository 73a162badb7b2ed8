/* a compare-exchange that wants what is stored after the plain read: together
   with that it would fail, and only read
   omen: none */
#include "two.h"

#include <sched.h>
#include <stdbool.h>

static volatile int x;

static void *
first (void *arg)
{
  int seen = x;
  __atomic_store_n (&x, seen + 1, __ATOMIC_SEQ_CST);
  return arg;
}

static void *
second (void *arg)
{
  int one = 1;
  while (!__atomic_compare_exchange_n (&x, &one, 2, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST)) {
    one = 1;
    sched_yield ();
  }
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
