/* before and after
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t bar;

static void __attribute__ ((constructor))
init (void)
{
  pthread_barrier_init (&bar, NULL, 2);
}
static volatile int x;

static void *
first (void *arg)
{
  x = 1;
  pthread_barrier_wait (&bar);
  return arg;
}

static void *
second (void *arg)
{
  pthread_barrier_wait (&bar);
  x = 2;
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
