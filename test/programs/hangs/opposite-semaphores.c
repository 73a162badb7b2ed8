/* hang: semaphore semaphore thread
   Two semaphores of one unit each, taken in opposite order. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static sem_t a, b;
static pthread_barrier_t both;

static void
use (sem_t *first, sem_t *second)
{
  sem_wait (first);
#ifndef FIXED
  pthread_barrier_wait (&both);
#endif
  sem_wait (second);
  sem_post (second);
  sem_post (first);
}

static void *
one (void *arg)
{
  use (&a, &b);
  return arg;
}

static void *
other (void *arg)
{
#ifdef FIXED
  use (&a, &b);
#else
  use (&b, &a);
#endif
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  sem_init (&a, 0, 1);
  sem_init (&b, 0, 1);
  pthread_barrier_init (&both, NULL, 2);
  pthread_create (&threads[0], NULL, one, NULL);
  pthread_create (&threads[1], NULL, other, NULL);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  return 0;
}
