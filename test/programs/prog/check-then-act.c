/* looks, lets go, and acts
   omen: atomicity */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void
take (void)
{
  pthread_mutex_lock (&m);
  int free_now = x == 0;
  pthread_mutex_unlock (&m);
  if (free_now) {
    pthread_mutex_lock (&m);
    x = x + 1;
    pthread_mutex_unlock (&m);
  }
}

static void *
first (void *arg)
{
  take ();
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&m);
  x = 5;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
