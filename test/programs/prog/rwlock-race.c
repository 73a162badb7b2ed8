/* two readers write
   omen: race */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static volatile int x;

static void *
first (void *arg)
{
  pthread_rwlock_rdlock (&rw);
  x++;
  pthread_rwlock_unlock (&rw);
  return arg;
}

static void *
second (void *arg)
{
  pthread_rwlock_rdlock (&rw);
  x++;
  pthread_rwlock_unlock (&rw);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
