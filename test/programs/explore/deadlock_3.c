/* Three locks in a circle, behind a branch. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;
static volatile int go;

static void *
first (void *arg)
{
  (void)arg;
  go = 1;
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&n);
  pthread_mutex_unlock (&n);
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&n);
  pthread_mutex_lock (&o);
  pthread_mutex_unlock (&o);
  pthread_mutex_unlock (&n);
  return NULL;
}

static void *
third (void *arg)
{
  (void)arg;
  if (go) {
    pthread_mutex_lock (&o);
    pthread_mutex_lock (&m);
    pthread_mutex_unlock (&m);
    pthread_mutex_unlock (&o);
  }
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
