/* written after it was handed over
   omen: race */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static volatile int x;

static void *
first (void *arg)
{
  pthread_mutex_lock (&m);
  ready = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  x = 7;
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&m);
  while (!ready)
    pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  x = 8;
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
