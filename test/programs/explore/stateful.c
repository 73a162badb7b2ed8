/* Two locks for two variables, of which one is used under the other. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static volatile int x = 10, y = 10;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&n);
  y++;
  pthread_mutex_unlock (&n);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  x += 5;
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  y -= 6;
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
  assert (x == 16 && y == 5);
  return 0;
}
