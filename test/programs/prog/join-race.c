/* read before the join
   omen: race */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int x;

static volatile int seen;

static void *
work (void *arg)
{
  x = 1;
  return arg;
}

int
main (void)
{
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  seen = x;
  pthread_join (t, NULL);
  return 0;
}
