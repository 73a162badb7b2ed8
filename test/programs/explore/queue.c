/* A flag says that the queue is filled before it is. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items[3], count;
static volatile int filled;

static void *
first (void *arg)
{
  (void)arg;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock (&m);
    items[count++] = i;
    if (count == 2)
      filled = 1;
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  if (filled)
    for (int i = 0; i < 3; i++) {
      pthread_mutex_lock (&m);
      assert (count > 0);
      count--;
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
  return 0;
}
