/* nobody joins it, a semaphore tells
   omen: none */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t done;
static volatile int x;

static void *
work (void *arg)
{
  x = 1;
  sem_post (&done);
  return arg;
}

int
main (void)
{
  pthread_t t;
  sem_init (&done, 0, 0);
  pthread_create (&t, NULL, work, NULL);
  pthread_detach (t);
  sem_wait (&done);
  return x == 1 ? 0 : 1;
}
