/* a cancelled thread takes another lock while it has its own back
   omen: deadlock */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static sem_t never, there;
static volatile int x;

static void
give_up (void *arg)
{
  pthread_mutex_lock (&a);
  pthread_mutex_lock (&b);
  x++;
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  (void)arg;
}

static void *
waits (void *arg)
{
  pthread_cleanup_push (give_up, NULL);
  sem_post (&there);
  sem_wait (&never);
  pthread_cleanup_pop (0);
  return arg;
}

static void *
work (void *arg)
{
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&a);
  x++;
  pthread_mutex_unlock (&a);
  pthread_mutex_unlock (&b);
  return arg;
}

int
main (void)
{
  pthread_t t, u;
  sem_init (&never, 0, 0);
  sem_init (&there, 0, 0);
  pthread_create (&t, NULL, waits, NULL);
  pthread_create (&u, NULL, work, NULL);
  sem_wait (&there);
  pthread_cancel (t);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return x == 2 ? 0 : 1;
}
