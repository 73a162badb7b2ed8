/* Two locks in opposite order, a counter between.
   sliced: deadlock */
#include "two.h"
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int count;

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
  LOCKED (count++);
}

static void
second (void)
{
  LOCKED (count++);
  take (&b, &a);
}
