/* waits: none
   What ends by itself does not hang: limits of time and tries. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include <errno.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t tokens;

static struct timespec
soon (void)
{
  struct timespec at;
  clock_gettime (CLOCK_REALTIME, &at);
  at.tv_sec += 1;
  return at;
}

static void *
first (void *arg)
{
  struct timespec at = soon ();
  pthread_mutex_lock (&lock);
  pthread_cond_timedwait (&ready, &lock, &at);
  pthread_mutex_unlock (&lock);
  sem_timedwait (&tokens, &at);
  sem_trywait (&tokens);
  return arg;
}

static void *
second (void *arg)
{
  usleep (100000);
  pthread_mutex_lock (&lock);
  pthread_cond_signal (&ready);
  pthread_mutex_unlock (&lock);
  sem_post (&tokens);
  sem_post (&tokens);
  sem_wait (&tokens);
  sem_post (&tokens);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  sem_init (&tokens, 0, 1);
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
