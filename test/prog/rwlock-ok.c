/* readers read, the writer writes
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static volatile int x;

static void *
first (void *arg)
{
  pthread_rwlock_wrlock (&rw);
  x = 1;
  pthread_rwlock_unlock (&rw);
  return arg;
}

static void *
second (void *arg)
{
  pthread_rwlock_rdlock (&rw);
  int seen = x;
  pthread_rwlock_unlock (&rw);
  (void)seen;
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
