/* lifetime: double-free
   Both threads drop the cache: its block is freed first, and that it is gone is
   written down in a section of its own. */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *cache;

static void *
drops (void *arg)
{
  pthread_mutex_lock (&lock);
  free (cache);
#ifndef FIXED
  pthread_mutex_unlock (&lock);
  pthread_mutex_lock (&lock);
#endif
  cache = NULL;
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
drops_later (void *arg)
{
  later ();
  return drops (arg);
}

int
main (void)
{
  cache = malloc (64);
  run_two (drops, drops_later);
  return 0;
}
