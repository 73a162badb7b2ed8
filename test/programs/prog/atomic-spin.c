/* waits for the flag
   omen: none */
#include "two.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;
static volatile int x;

static void *
first (void *arg)
{
  x = 7;
  atomic_store (&flag, 1);
  return arg;
}

static void *
second (void *arg)
{
  while (!atomic_load (&flag))
    sched_yield ();
  if (x != 7)
    abort ();
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
