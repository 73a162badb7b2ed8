/* initialised once
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int x;

static void
set (void)
{
  x = 7;
}

static void *
first (void *arg)
{
  pthread_once (&once, set);
  if (x != 7)
    abort ();
  return arg;
}

static void *
second (void *arg)
{
  pthread_once (&once, set);
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
