/* waits: condition
   Main leaves by pthread_exit, nobody joins, and the signal comes first. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int set;

static void *
first (void *arg)
{
  pthread_mutex_lock (&lock);
#ifdef FIXED
  while (!set)
#endif
    pthread_cond_wait (&ready, &lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
second (void *arg)
{
  usleep (100000);
  pthread_mutex_lock (&lock);
  set = 1;
  pthread_cond_signal (&ready);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, first, NULL);
  pthread_detach (thread);
  pthread_create (&thread, NULL, second, NULL);
  pthread_detach (thread);
  pthread_exit (NULL);
}
