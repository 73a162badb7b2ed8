/* Which lock is taken depends on what was read; with the other one there would
   be no deadlock.
   sliced: none */
#include "two.h"
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                c = PTHREAD_MUTEX_INITIALIZER;
int ready;

static void
take (pthread_mutex_t *outer, pthread_mutex_t *inner)
{
  pthread_mutex_lock (outer);
  pthread_mutex_lock (inner);
  pthread_mutex_unlock (inner);
  pthread_mutex_unlock (outer);
}

static void
first (void)
{
  take (&a, &b);
  LOCKED (ready = 1);
}

static void
second (void)
{
  int seen;
  LOCKED (seen = ready);
  take (seen ? &b : &c, &a);
}
