/* What the others wrote is read before the barrier. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static volatile int x[2];

static void *
first (void *arg)
{
  (void)arg;
  x[0] = 1;
  int other = x[1];
  pthread_barrier_wait (&b);
  assert (!other || x[1] == 1);
  x[0] = 2;
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  x[1] = 1;
  pthread_barrier_wait (&b);
  assert (x[0] == 1);
  return NULL;
}

int
main (void)
{
  pthread_t one, two;
  pthread_barrier_init (&b, NULL, 2);
  pthread_create (&one, NULL, first, NULL);
  pthread_create (&two, NULL, second, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
