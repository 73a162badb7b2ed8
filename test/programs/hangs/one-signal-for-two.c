/* hang: condition thread
   Two threads wait, and a signal wakes one of them. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t waits, ended;
static int set;

static void *
work (void *arg)
{
  pthread_mutex_lock (&lock);
  sem_post (&waits);
  while (!set)
    pthread_cond_wait (&ready, &lock);
  pthread_mutex_unlock (&lock);
  sem_post (&ended);
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  sem_init (&waits, 0, 0);
  sem_init (&ended, 0, 0);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  sem_wait (&waits);
  sem_wait (&waits);
  pthread_mutex_lock (&lock);
  set = 1;
#ifdef FIXED
  pthread_cond_broadcast (&ready);
#else
  pthread_cond_signal (&ready);
#endif
  pthread_mutex_unlock (&lock);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
