/* Ten additions, in two steps each. */
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *
first (void *arg)
{
  (void)arg;
  for (int i = 0; i < 5; i++)
    x = x + 1;
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  for (int i = 0; i < 5; i++)
    x = x + 1;
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
  assert (x > 2);
  return 0;
}
