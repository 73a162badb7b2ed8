/* taken twice, as such a lock may be
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m;
static volatile int x;

static void
inner (void)
{
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
}

static void *
outer (void *arg)
{
  pthread_mutex_lock (&m);
  inner ();
  x++;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  pthread_mutexattr_t kind;
  pthread_mutexattr_init (&kind);
  pthread_mutexattr_settype (&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&m, &kind);
  run_two (outer, outer);
  pthread_mutex_destroy (&m);
  return x == 4 ? 0 : 1;
}
