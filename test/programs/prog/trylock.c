/* who gets the lock works
   omen: none */
#include "two.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *
first (void *arg)
{
  if (!pthread_mutex_trylock (&m)) {
    x++;
    pthread_mutex_unlock (&m);
  }
  return arg;
}

static void *
second (void *arg)
{
  while (pthread_mutex_trylock (&m))
    sched_yield ();
  x++;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
