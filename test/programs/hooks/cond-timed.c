//: wait 2
//: wake 2
//? wake(.*timeout
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

int
main (void)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  struct timespec at;
  pthread_mutex_lock (&lock);
  clock_gettime (CLOCK_REALTIME, &at);
  at.tv_sec -= 1;
  printf ("%d\n", pthread_cond_timedwait (&never, &lock, &at) == ETIMEDOUT);
  clock_gettime (CLOCK_MONOTONIC, &at);
  at.tv_nsec = (at.tv_nsec + 1000000) % 1000000000;
  printf ("%d\n", pthread_cond_clockwait (&never, &lock, CLOCK_MONOTONIC, &at)
                      == ETIMEDOUT);
  pthread_mutex_unlock (&lock);
  return 0;
}
