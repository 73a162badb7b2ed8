/* a timed lock, in time or not
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *
first (void *arg)
{
  struct timespec end;
  clock_gettime (CLOCK_REALTIME, &end);
  end.tv_sec += 10;
  if (!pthread_mutex_timedlock (&m, &end)) {
    x++;
    pthread_mutex_unlock (&m);
  }
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&m);
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
