/* hang: own-lock thread
   A function that takes the lock is called with the lock held. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void
add (int n)
{
  pthread_mutex_lock (&lock);
  total += n;
  pthread_mutex_unlock (&lock);
}

static void *
work (void *arg)
{
  pthread_mutex_lock (&lock);
  total = 0;
#ifdef FIXED
  pthread_mutex_unlock (&lock);
  add (1);
#else
  add (1);
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  return 0;
}
