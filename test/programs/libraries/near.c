/* a race after calls of the library, which can order nothing that comes after
   them */
#include <pthread.h>

unsigned plain_count (void);

static volatile int data;

static void *
worker (void *arg)
{
  plain_count ();
  data++;
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
