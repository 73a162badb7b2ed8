/* Programs of two threads, `first` and `second`. What they read under the lock
   is synchronised; what else they do is ordered by what they read, or not. */
#ifndef OMEN_TEST_SLICED_TWO_H
#define OMEN_TEST_SLICED_TWO_H

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED(statement)                                                      \
  do {                                                                         \
    pthread_mutex_lock (&m);                                                   \
    statement;                                                                 \
    pthread_mutex_unlock (&m);                                                 \
  } while (0)

#define APART __attribute__ ((noinline))

static void first (void);
static void second (void);

static void *
run (void *arg)
{
  if (arg)
    second ();
  else
    first ();
  return NULL;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, run, NULL);
  pthread_create (&b, NULL, run, &a);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}

#endif
