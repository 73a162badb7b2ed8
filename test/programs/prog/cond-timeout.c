/* nobody comes
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static volatile int x;

static void *
first (void *arg)
{
  struct timespec end;
  clock_gettime (CLOCK_REALTIME, &end);
  end.tv_nsec += 20000000;
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  pthread_mutex_lock (&m);
  while (!ready && !pthread_cond_timedwait (&c, &m, &end))
    ;
  x++;
  pthread_mutex_unlock (&m);
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
