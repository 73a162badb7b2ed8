/* a copy under the lock
   omen: none */
#include <pthread.h>
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
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
