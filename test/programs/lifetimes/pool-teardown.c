/* lifetime: use-after-free
   A pool is told to end and freed; its worker looks once more at its queue. */
#include "two.h"

typedef struct pool {
  pthread_mutex_t lock;
  int ended, queued;
} pool;

static pool *workers;

static void *
worker (void *arg)
{
  pthread_mutex_lock (&workers->lock);
  workers->queued++;
  pthread_mutex_unlock (&workers->lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  workers = calloc (1, sizeof *workers);
  pthread_mutex_init (&workers->lock, NULL);
  pthread_create (&thread, NULL, worker, NULL);
  later ();
  pthread_mutex_lock (&workers->lock);
  workers->ended = 1;
  pthread_mutex_unlock (&workers->lock);
#ifdef FIXED
  pthread_join (thread, NULL);
  free (workers);
#else
  free (workers);
  pthread_join (thread, NULL);
#endif
  return 0;
}
