/* A barrier with one thread too few: who sees that the other one is there already
   leaves without it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meet;
static int there;

static void *
first (void *arg)
{
  int leaves;
  pthread_mutex_lock (&lock);
  leaves = there;
  pthread_mutex_unlock (&lock);
  if (!leaves)
    pthread_barrier_wait (&meet);
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&lock);
  there = 1;
  pthread_mutex_unlock (&lock);
  pthread_barrier_wait (&meet);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_barrier_init (&meet, NULL, 2);
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
