/* waits: condition thread
   Both wait at one condition, and a signal wakes one of them: maybe the wrong one. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, gone;

static void *
first (void *arg)
{
  pthread_mutex_lock (&lock);
  while (!full)
    pthread_cond_wait (&changed, &lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
second (void *arg)
{
  usleep (100000);
  pthread_mutex_lock (&lock);
#ifdef FIXED
  while (!gone)
#else
  if (!gone)
#endif
    pthread_cond_wait (&changed, &lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  usleep (200000);
  pthread_mutex_lock (&lock);
  full = 1;
#ifdef FIXED
  gone = 1;
  pthread_cond_broadcast (&changed);
#else
  pthread_cond_signal (&changed);
#endif
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  usleep (100000);
  pthread_mutex_lock (&lock);
  pthread_cond_signal (&changed);
  pthread_mutex_unlock (&lock);
#endif
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
