/* lifetime: use-after-free
   Observers of a browser: one is taken off the list and freed while it is told. */
#include "two.h"

typedef struct observer {
  void (*told) (struct observer *self);
  int count;
} observer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static observer *listening;

static void
count (observer *self)
{
  self->count++;
}

static void *
notify (void *arg)
{
  observer *o;
  pthread_mutex_lock (&lock);
  o = listening;
#ifdef FIXED
  if (o)
    o->told (o);
#endif
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  if (o)
    o->told (o);
#endif
  return arg;
}

static void *
leaves (void *arg)
{
  observer *o;
  later ();
  pthread_mutex_lock (&lock);
  o = listening;
  listening = NULL;
  pthread_mutex_unlock (&lock);
  free (o);
  return arg;
}

int
main (void)
{
  listening = calloc (1, sizeof *listening);
  listening->told = count;
  run_two (notify, leaves);
  return 0;
}
