/* a lock made of an exchange
   omen: none */
#include "two.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static volatile int x;

static void *
first (void *arg)
{
  while (atomic_flag_test_and_set (&busy))
    sched_yield ();
  x++;
  atomic_flag_clear (&busy);
  return arg;
}

static void *
second (void *arg)
{
  while (atomic_flag_test_and_set (&busy))
    sched_yield ();
  x++;
  atomic_flag_clear (&busy);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
