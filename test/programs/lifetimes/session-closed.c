/* lifetime: null
   Who closes the session leaves a null pointer, under the lock; who counts what it
   has takes the same lock and does not look. */
#include "two.h"

typedef struct session {
  int requests;
} session;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static session one, *current = &one;
static int total;

static void *
counts (void *arg)
{
  pthread_mutex_lock (&lock);
#ifdef FIXED
  if (current)
#endif
    total += current->requests;
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
closes (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  current = NULL;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  one.requests = 3;
  run_two (counts, closes);
  return 0;
}
