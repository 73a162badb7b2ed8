/* lifetime: use-after-thread
   The address of a thread-local variable is used after its thread has ended. */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int mine;
static int *shared;
static int sum;

static void *
owner (void *arg)
{
  pthread_mutex_lock (&lock);
  shared = &mine;
  pthread_mutex_unlock (&lock);
  later ();
  later ();
#ifdef FIXED
  pthread_mutex_lock (&lock);
  shared = NULL;
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

static void *
user (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  if (shared)
    sum += *shared;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  run_two (owner, user);
  return sum;
}
