/* A phase is over when a counter says so, which two may read at once. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int arrived, phase;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  arrived++;
  pthread_mutex_unlock (&m);
  if (arrived == 2)
    assert (++phase == 1);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  arrived++;
  pthread_mutex_unlock (&m);
  if (arrived == 2)
    assert (++phase == 1);
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
