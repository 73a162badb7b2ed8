/* hang: condition thread
   What is waited for comes true, but nobody says so. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t waits;
static int set;

static void *
consume (void *arg)
{
  pthread_mutex_lock (&lock);
  sem_post (&waits);
  while (!set)
    pthread_cond_wait (&ready, &lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  sem_init (&waits, 0, 0);
  pthread_create (&thread, NULL, consume, NULL);
  sem_wait (&waits);
  pthread_mutex_lock (&lock);
  set = 1;
#ifdef FIXED
  pthread_cond_signal (&ready);
#endif
  pthread_mutex_unlock (&lock);
  pthread_join (thread, NULL);
  return 0;
}
