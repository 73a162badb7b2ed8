/* hang: semaphore thread
   A worker that fails forgets to post. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static sem_t done;

static void *
work (void *fails)
{
#ifndef FIXED
  if (fails)
    return NULL;
#endif
  sem_post (&done);
  return NULL;
}

static void *
wait_for_both (void *arg)
{
  sem_wait (&done);
  sem_wait (&done);
  return arg;
}

int
main (void)
{
  pthread_t one, two, waiter;
  sem_init (&done, 0, 0);
  pthread_create (&waiter, NULL, wait_for_both, NULL);
  pthread_create (&one, NULL, work, NULL);
  pthread_create (&two, NULL, work, &done);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  pthread_join (waiter, NULL);
  return 0;
}
