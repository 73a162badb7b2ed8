/* hang: condition thread
   Two conditions of one buffer, and the wrong one is notified. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static sem_t waits;
static int items;

static void *
take (void *arg)
{
  pthread_mutex_lock (&lock);
  sem_post (&waits);
  while (!items)
    pthread_cond_wait (&not_empty, &lock);
  items--;
  pthread_cond_signal (&not_full);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  sem_init (&waits, 0, 0);
  pthread_create (&thread, NULL, take, NULL);
  sem_wait (&waits);
  pthread_mutex_lock (&lock);
  while (items == 1)
    pthread_cond_wait (&not_full, &lock);
  items++;
#ifdef FIXED
  pthread_cond_signal (&not_empty);
#else
  pthread_cond_signal (&not_full);
#endif
  pthread_mutex_unlock (&lock);
  pthread_join (thread, NULL);
  return 0;
}
