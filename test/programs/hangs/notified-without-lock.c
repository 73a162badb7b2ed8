/* hang: condition
   Who notifies ends without giving the lock back. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int set;

static void *
notify (void *arg)
{
  pthread_mutex_lock (&lock);
  set = 1;
  pthread_cond_signal (&ready);
#ifdef FIXED
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_mutex_lock (&lock);
  pthread_create (&thread, NULL, notify, NULL);
  while (!set)
    pthread_cond_wait (&ready, &lock);
  pthread_mutex_unlock (&lock);
  pthread_join (thread, NULL);
  return 0;
}
