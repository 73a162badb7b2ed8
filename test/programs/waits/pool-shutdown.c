/* waits: condition thread
   The worker looks whether the pool is to be shut down, and then goes to sleep. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static _Atomic int down;

static void *
first (void *arg)
{
#ifdef FIXED
  pthread_mutex_lock (&lock);
  while (!down)
    pthread_cond_wait (&work, &lock);
  pthread_mutex_unlock (&lock);
#else
  while (!down) {
    pthread_mutex_lock (&lock);
    pthread_cond_wait (&work, &lock);
    pthread_mutex_unlock (&lock);
  }
#endif
  return arg;
}

static void *
second (void *arg)
{
  usleep (100000);
  pthread_mutex_lock (&lock);
  down = 1;
  pthread_cond_broadcast (&work);
  pthread_mutex_unlock (&lock);
  return arg;
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
