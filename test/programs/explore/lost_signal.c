/* signal comes before the wait: nobody looks whether it came. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int sum;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  pthread_cond_wait (&c, &m);
  sum++;
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  sum++;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
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
