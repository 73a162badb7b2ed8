/* The pointer is published before what it points to. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int storage;
static int *volatile instance;

static int *
get (void)
{
  if (!instance) {
    pthread_mutex_lock (&m);
    if (!instance) {
      instance = &storage;
      storage = 7;
    }
    pthread_mutex_unlock (&m);
  }
  return instance;
}

static void *
first (void *arg)
{
  (void)arg;
  assert (*get () == 7);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  assert (*get () == 7);
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
