// A try that fails, one that does not, and a lock of a lock that is held.
//: acq 3
//: rel 3
//: tryfail 1
//: req <=1
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
try (void *arg)
{
  printf ("%d\n", pthread_mutex_trylock (&lock) == EBUSY);
  return arg;
}

static void *
take (void *arg)
{
  pthread_mutex_lock (&lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_mutex_lock (&lock);
  pthread_create (&thread, NULL, try, NULL);
  pthread_join (thread, NULL);
  pthread_create (&thread, NULL, take, NULL);
  pthread_mutex_unlock (&lock);
  pthread_join (thread, NULL);
  printf ("%d\n", pthread_mutex_trylock (&lock));
  pthread_mutex_unlock (&lock);
  return 0;
}
