/* waits: condition lock thread
   It waits with a lock that who signals needs on the way. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int set;

static void *
first (void *arg)
{
  usleep (100000);
  pthread_mutex_lock (&journal);
#ifdef FIXED
  pthread_mutex_unlock (&journal);
#endif
  pthread_mutex_lock (&lock);
  while (!set)
    pthread_cond_wait (&ready, &lock);
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  pthread_mutex_unlock (&journal);
#endif
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&journal);
  pthread_mutex_unlock (&journal);
  usleep (300000);
  pthread_mutex_lock (&lock);
  set = 1;
  pthread_cond_signal (&ready);
  pthread_mutex_unlock (&lock);
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
