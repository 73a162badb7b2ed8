/* waits: barrier lock thread
   It goes to the barrier with a lock that the other one needs on its way. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meet;

static void *
first (void *arg)
{
  pthread_mutex_lock (&lock);
  pthread_mutex_unlock (&lock);
  pthread_barrier_wait (&meet);
  return arg;
}

static void *
second (void *arg)
{
  usleep (100000);
  pthread_mutex_lock (&lock);
#ifdef FIXED
  pthread_mutex_unlock (&lock);
#endif
  pthread_barrier_wait (&meet);
#ifndef FIXED
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_barrier_init (&meet, NULL, 2);
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
