/* lifetime: use-after-destroy
   Who was waited for signals after it gave up the lock: the waiter, which did not have
   to sleep, has destroyed the condition. */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done;
static int ready;

static void *
worker (void *arg)
{
  pthread_mutex_lock (&lock);
  ready = 1;
#ifdef FIXED
  pthread_cond_signal (&done);
  pthread_mutex_unlock (&lock);
#else
  pthread_mutex_unlock (&lock);
  pthread_cond_signal (&done);
#endif
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_cond_init (&done, NULL);
  pthread_create (&thread, NULL, worker, NULL);
  later ();
  pthread_mutex_lock (&lock);
  while (!ready)
    pthread_cond_wait (&done, &lock);
  pthread_mutex_unlock (&lock);
  pthread_cond_destroy (&done);
  pthread_join (thread, NULL);
  return 0;
}
