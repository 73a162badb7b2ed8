/* hang: lock lock
   A cycle of locks is told once, as what it is. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *
other (void *arg)
{
#ifdef FIXED
  pthread_mutex_lock (&a);
  pthread_mutex_lock (&b);
#else
  pthread_mutex_lock (&b);
  pthread_barrier_wait (&both);
  pthread_mutex_lock (&a);
#endif
  pthread_mutex_unlock (&a);
  pthread_mutex_unlock (&b);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_barrier_init (&both, NULL, 2);
  pthread_create (&thread, NULL, other, NULL);
  pthread_mutex_lock (&a);
#ifndef FIXED
  pthread_barrier_wait (&both);
#endif
  pthread_mutex_lock (&b);
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  pthread_join (thread, NULL);
  return 0;
}
