/* lifetime: none
   A count under a lock says who is the last one, and he frees. */
#include "two.h"

typedef struct object {
  int users, value;
} object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static object *shared;

static void
put (object *o)
{
  int left;
  pthread_mutex_lock (&lock);
  left = --o->users;
  pthread_mutex_unlock (&lock);
  if (!left)
    free (o);
}

static void *
first (void *arg)
{
  pthread_mutex_lock (&lock);
  shared->value++;
  pthread_mutex_unlock (&lock);
  put (shared);
  return arg;
}

static void *
second (void *arg)
{
  later ();
  return first (arg);
}

int
main (void)
{
  shared = calloc (1, sizeof *shared);
  shared->users = 2;
  run_two (first, second);
  return 0;
}
