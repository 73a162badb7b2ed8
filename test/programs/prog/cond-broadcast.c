/* all are woken
   omen: none */
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
  x++;
  pthread_cond_broadcast (&c);
  pthread_mutex_unlock (&m);
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&m);
  while (!ready)
    pthread_cond_wait (&c, &m);
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
