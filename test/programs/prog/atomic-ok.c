/* published with release and acquire
   omen: none */
#include "two.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;
static volatile int x;

static void *
first (void *arg)
{
  x = 7;
  atomic_store_explicit (&flag, 1, memory_order_release);
  return arg;
}

static void *
second (void *arg)
{
  if (atomic_load_explicit (&flag, memory_order_acquire) && x != 7)
    abort ();
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
