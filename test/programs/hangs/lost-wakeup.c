/* hang: condition
   The signal comes before the wait, and nothing remembers it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int set;

static void *
signals (void *arg)
{
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
  pthread_create (&thread, NULL, signals, NULL);
  pthread_join (thread, NULL);
  pthread_mutex_lock (&lock);
#ifdef FIXED
  while (!set)
#endif
    pthread_cond_wait (&ready, &lock);
  pthread_mutex_unlock (&lock);
  return 0;
}
