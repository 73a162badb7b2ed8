//: lockfail 2
//: acq 3
//: rel 3
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct timespec
soon (clockid_t clock)
{
  struct timespec at;
  clock_gettime (clock, &at);
  at.tv_nsec += 20000000;
  at.tv_sec += at.tv_nsec / 1000000000;
  at.tv_nsec %= 1000000000;
  return at;
}

static void *
wait (void *arg)
{
  struct timespec at = soon (CLOCK_REALTIME);
  printf ("%d\n", pthread_mutex_timedlock (&lock, &at) == ETIMEDOUT);
  at = soon (CLOCK_MONOTONIC);
  printf ("%d\n", pthread_mutex_clocklock (&lock, CLOCK_MONOTONIC, &at)
                      == ETIMEDOUT);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  struct timespec at = soon (CLOCK_REALTIME);
  pthread_mutex_lock (&lock);
  pthread_create (&thread, NULL, wait, NULL);
  pthread_join (thread, NULL);
  pthread_mutex_unlock (&lock);
  printf ("%d\n", pthread_mutex_timedlock (&lock, &at));
  pthread_mutex_unlock (&lock);
  at = soon (CLOCK_MONOTONIC);
  printf ("%d\n", pthread_mutex_clocklock (&lock, CLOCK_MONOTONIC, &at));
  pthread_mutex_unlock (&lock);
  return 0;
}
