/* read after the join
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int x;

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
  x = 0;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  return x == 1 ? 0 : 1;
}
