/* hang: lock
   A thread ends on an error path that forgets to unlock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *
work (void *arg)
{
  pthread_mutex_lock (&lock);
#ifndef FIXED
  if (!total)
    return arg;
#endif
  total++;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  pthread_mutex_lock (&lock);
  total++;
  pthread_mutex_unlock (&lock);
  return 0;
}
