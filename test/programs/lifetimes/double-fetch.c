/* lifetime: use-after-free
   A pointer is fetched twice, each time under the lock; what was learned from the
   first one is used with the second, and the other way round. */
#include "two.h"

#include <string.h>

typedef struct request {
  pthread_mutex_t lock;
  char *name;
  size_t length;
} request;

static request shared = { .lock = PTHREAD_MUTEX_INITIALIZER };
static size_t total;

static void *
submit (void *arg)
{
  char *name;
  pthread_mutex_lock (&shared.lock);
  name = shared.name;
#ifdef FIXED
  total += (size_t)name[0];
#endif
  pthread_mutex_unlock (&shared.lock);
  pthread_mutex_lock (&shared.lock);
#ifndef FIXED
  total += (size_t)name[0];
#endif
  total += shared.length;
  pthread_mutex_unlock (&shared.lock);
  return arg;
}

static void *
rename_it (void *arg)
{
  later ();
  pthread_mutex_lock (&shared.lock);
  free (shared.name);
  shared.name = strdup ("renamed");
  pthread_mutex_unlock (&shared.lock);
  return arg;
}

int
main (void)
{
  shared.name = strdup ("first");
  shared.length = 5;
  run_two (submit, rename_it);
  return 0;
}
