/* A reader that counts itself in without the lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int readers, writing;

static void *
first (void *arg)
{
  (void)arg;
  if (!writing) {
    readers++;
    assert (!writing);
    readers--;
  }
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  if (!readers) {
    writing = 1;
    assert (!readers);
    writing = 0;
  }
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
