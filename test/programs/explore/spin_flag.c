/* A flag says that there is a value, too early. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static volatile int value;

static void *
first (void *arg)
{
  (void)arg;
  ready = 1;
  value = 5;
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  while (!ready)
    ;
  assert (value == 5);
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
  return 0;
}
