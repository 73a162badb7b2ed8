/* Two locks in two orders. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&n);
  x++;
  pthread_mutex_unlock (&n);
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&n);
  pthread_mutex_lock (&m);
  x--;
  pthread_mutex_unlock (&m);
  pthread_mutex_unlock (&n);
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
