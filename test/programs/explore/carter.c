/* Locks are taken in another order if there was a first user. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  if (++a == 1)
    pthread_mutex_lock (&l);
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  if (--a == 0)
    pthread_mutex_unlock (&l);
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  if (++b == 1)
    pthread_mutex_lock (&l);
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  if (--b == 0)
    pthread_mutex_unlock (&l);
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
