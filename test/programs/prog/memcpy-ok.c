/* a copy under the lock
   omen: none */
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
  memcpy (to, from, sizeof to);
  from[0]++;
  pthread_mutex_unlock (&m);
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&m);
  memcpy (to, from, sizeof to);
  from[0]++;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
