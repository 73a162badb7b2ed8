/* hang: condition lock
   It waits inside of one monitor for somebody who has to come through another
   that it holds. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t inside;
static int set;

static void *
take (void *arg)
{
  pthread_mutex_lock (&outer);
#ifdef FIXED
  pthread_mutex_unlock (&outer);
#endif
  pthread_mutex_lock (&inner);
  sem_post (&inside);
  while (!set)
    pthread_cond_wait (&ready, &inner);
  pthread_mutex_unlock (&inner);
#ifndef FIXED
  pthread_mutex_unlock (&outer);
#endif
  return arg;
}

int
main (void)
{
  pthread_t thread;
  sem_init (&inside, 0, 0);
  pthread_create (&thread, NULL, take, NULL);
  sem_wait (&inside);
  pthread_mutex_lock (&outer);
  pthread_mutex_lock (&inner);
  set = 1;
  pthread_cond_signal (&ready);
  pthread_mutex_unlock (&inner);
  pthread_mutex_unlock (&outer);
  pthread_join (thread, NULL);
  return 0;
}
