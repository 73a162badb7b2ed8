/* Two accounts, one lock for each, the sum is looked at in between. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x = 100, y = 100;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&a);
  x -= 10;
  pthread_mutex_unlock (&a);
  pthread_mutex_lock (&b);
  y += 10;
  pthread_mutex_unlock (&b);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&a);
  int p = x;
  pthread_mutex_unlock (&a);
  pthread_mutex_lock (&b);
  int q = y;
  pthread_mutex_unlock (&b);
  assert (p + q == 200);
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
