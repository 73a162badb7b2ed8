/* main ends by pthread_exit, its thread goes on
   omen: race */
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
  pthread_create (&t, NULL, work, NULL);
  pthread_detach (t);
  x = 2;
  pthread_exit (NULL);
}
