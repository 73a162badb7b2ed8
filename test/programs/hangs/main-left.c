/* hang: condition
   main leaves by pthread_exit, and with it the one who would have notified. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int set;

static void *
work (void *arg)
{
  pthread_mutex_lock (&lock);
  while (!set)
    pthread_cond_wait (&ready, &lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, work, NULL);
#ifdef FIXED
  pthread_mutex_lock (&lock);
  set = 1;
  pthread_cond_signal (&ready);
  pthread_mutex_unlock (&lock);
#endif
  pthread_exit (NULL);
}
