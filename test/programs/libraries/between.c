/* a race with calls of the library around it: if one thread runs after the
   other, these may have ordered the accesses, and have not */
#include <pthread.h>

unsigned plain_count (void);

static volatile int data;

static void *
worker (void *arg)
{
  plain_count ();
  data++;
  plain_count ();
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, worker, NULL);
  pthread_create (&b, NULL, worker, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
