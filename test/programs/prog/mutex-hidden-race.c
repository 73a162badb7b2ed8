/* the lock orders the two by chance
   omen: race */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
static int y;

static void *
first (void *arg)
{
  x = 1;
  pthread_mutex_lock (&m);
  y = 1;
  pthread_mutex_unlock (&m);
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&m);
  y = 2;
  pthread_mutex_unlock (&m);
  x = 2;
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
