/* what a cancelled thread does last races
   omen: race */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t there;
static volatile int x;

static void
give_up (void *arg)
{
  pthread_mutex_unlock (arg);
  x = 1;
}

static void *
waits (void *arg)
{
  pthread_mutex_lock (&m);
  pthread_cleanup_push (give_up, &m);
  sem_post (&there);
  for (;;)
    pthread_cond_wait (&never, &m);
  pthread_cleanup_pop (1);
  return arg;
}

static void *
work (void *arg)
{
  x = 2;
  return arg;
}

int
main (void)
{
  pthread_t t, u;
  void *result;
  sem_init (&there, 0, 0);
  pthread_create (&t, NULL, waits, NULL);
  pthread_create (&u, NULL, work, NULL);
  sem_wait (&there);
  pthread_cancel (t);
  pthread_join (t, &result);
  pthread_join (u, NULL);
  return result == PTHREAD_CANCELED && x ? 0 : 1;
}
