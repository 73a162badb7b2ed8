/* A sum is handed over under a lock, item by item, and the end is seen too early. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int item, total, ready;

static void *
first (void *arg)
{
  (void)arg;
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock (&m);
    item = i;
    ready = 1;
    pthread_cond_signal (&full);
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock (&m);
    while (!ready)
      pthread_cond_wait (&full, &m);
    total += item;
    ready = i == 2;
    pthread_mutex_unlock (&m);
  }
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
  assert (total == 3);
  return 0;
}
