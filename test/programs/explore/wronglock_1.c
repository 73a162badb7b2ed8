/* Two locks for one variable. */
#include <assert.h>
#include <pthread.h>


enum { N = 1 };
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
static volatile int value;

static void *
check_it (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&right);
  int x = value;
  assert (x == value);
  pthread_mutex_unlock (&right);
  return NULL;
}

static void *
add (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&wrong);
  value++;
  pthread_mutex_unlock (&wrong);
  return NULL;
}

int
main (void)
{
  pthread_t checker, adders[N];
  pthread_create (&checker, NULL, check_it, NULL);
  for (int i = 0; i < N; i++)
    pthread_create (&adders[i], NULL, add, NULL);
  pthread_join (checker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join (adders[i], NULL);
  return 0;
}
