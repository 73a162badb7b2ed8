/* one side forgets the lock
   omen: race */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *
first (void *arg)
{
  pthread_mutex_lock (&m);
  x = 1;
  pthread_mutex_unlock (&m);
  return arg;
}

static void *
second (void *arg)
{
  x = 2;
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
