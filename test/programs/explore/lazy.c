/* Three threads; the sum is wrong if the third does not come last. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  data++;
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  data += 2;
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
third (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  assert (data < 3);
  pthread_mutex_unlock (&m);
  return NULL;
}

int
main (void)
{
  pthread_t a, b, c;
  pthread_create (&c, NULL, third, NULL);
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  pthread_join (c, NULL);
  return 0;
}
