/* The balance is read before the lock is taken. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int balance = 10;

static void *
first (void *arg)
{
  (void)arg;
  int before = balance;
  pthread_mutex_lock (&m);
  balance = before + 5;
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  balance -= 3;
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
  assert (balance == 12);
  return 0;
}
