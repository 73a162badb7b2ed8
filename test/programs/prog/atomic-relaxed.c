/* published with an order that is too weak
   omen: race */
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
  atomic_store_explicit (&flag, 1, memory_order_relaxed);
  return arg;
}

static void *
second (void *arg)
{
  while (!atomic_load_explicit (&flag, memory_order_relaxed))
    sched_yield ();
  x = 8;
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
