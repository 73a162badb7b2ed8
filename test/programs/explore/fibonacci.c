/* Two threads add to two sums: the largest possible one is rare. */
#include <assert.h>
#include <pthread.h>

enum { N = 3 };
static volatile int i = 1, j = 1;

static void *
first (void *arg)
{
  (void)arg;
  for (int k = 0; k < N; k++)
    i += j;
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  for (int k = 0; k < N; k++)
    j += i;
  return NULL;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (i < 21 && j < 21);
  return 0;
}
