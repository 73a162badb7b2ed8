/* waits: lock thread
   A thread is joined by who holds the lock that it wants. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
first (void *arg)
{
  pthread_mutex_lock (&lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, first, NULL);
  usleep (100000);
  pthread_mutex_lock (&lock);
#ifdef FIXED
  pthread_mutex_unlock (&lock);
  pthread_join (thread, NULL);
#else
  pthread_join (thread, NULL);
  pthread_mutex_unlock (&lock);
#endif
  return 0;
}
