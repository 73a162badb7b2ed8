/* A driver is stopped while a request that saw it run goes on. */
#include <assert.h>
#include <pthread.h>


static volatile int pending = 1, stopping, event, stopped;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
release (void)
{
  pthread_mutex_lock (&m);
  int left = --pending;
  pthread_mutex_unlock (&m);
  if (left == 0)
    event = 1;
}

static void *
first (void *arg)
{
  (void)arg;
  int status = -1;
  if (!stopping) {
    pthread_mutex_lock (&m);
    pending++;
    pthread_mutex_unlock (&m);
    status = 0;
  }
  if (status == 0)
    assert (!stopped);
  if (status == 0)
    release ();
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  stopping = 1;
  release ();
  if (event)
    stopped = 1;
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
