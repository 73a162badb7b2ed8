/* a copy beside the lock
   omen: race */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char from[256], to[256];

static void *
first (void *arg)
{
  pthread_mutex_lock (&m);
  from[100] = 1;
  pthread_mutex_unlock (&m);
  return arg;
}

static void *
second (void *arg)
{
  memcpy (to, from, sizeof to);
  if (to[100] == 2)
    abort ();
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
