/* The last one frees, but counting down and looking are two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count = 2;
static volatile int freed;

static void *
first (void *arg)
{
  (void)arg;
  count--;
  if (count == 0)
    assert (!freed++);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  count--;
  if (count == 0)
    assert (!freed++);
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
