/* waits: semaphore semaphore thread
   Two semaphores are taken in both orders. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t a, b;

static void *
first (void *arg)
{
  sem_wait (&a);
  sem_wait (&b);
  sem_post (&b);
  sem_post (&a);
  return arg;
}

static void *
second (void *arg)
{
  usleep (100000);
#ifdef FIXED
  sem_wait (&a);
  sem_wait (&b);
#else
  sem_wait (&b);
  sem_wait (&a);
#endif
  sem_post (&a);
  sem_post (&b);
  return arg;
}

int
main (void)
{
  pthread_t one, two;
  sem_init (&a, 0, 1);
  sem_init (&b, 0, 1);
  pthread_create (&one, NULL, first, NULL);
  pthread_create (&two, NULL, second, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
