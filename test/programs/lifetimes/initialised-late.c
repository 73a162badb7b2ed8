/* lifetime: use-before-init
   An object is published before its fields are written. */
#include "two.h"

typedef struct session {
  int id;
} session;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static session *current;
static int seen;

static void *
opens (void *arg)
{
  session *s = malloc (sizeof *s);
  pthread_mutex_lock (&lock);
#ifdef FIXED
  s->id = 7;
#endif
  current = s;
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  pthread_mutex_lock (&lock);
  s->id = 7;
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

static void *
reads (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  if (current)
    seen = current->id;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  run_two (opens, reads);
  return 0;
}
