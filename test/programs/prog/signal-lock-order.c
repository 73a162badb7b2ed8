/* a handler takes the locks the other way round
   omen: deadlock */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static volatile int x;

static void
both (pthread_mutex_t *first, pthread_mutex_t *second)
{
  pthread_mutex_lock (first);
  pthread_mutex_lock (second);
  x++;
  pthread_mutex_unlock (second);
  pthread_mutex_unlock (first);
}

static void
on_signal (int number)
{
  (void)number;
  both (&a, &b);
  sem_post (&done);
}

static void *
waits (void *arg)
{
  while (sem_wait (&done))
    ;
  return arg;
}

static void *
work (void *arg)
{
  both (&b, &a);
  return arg;
}

int
main (void)
{
  pthread_t t, u;
  sem_init (&done, 0, 0);
  signal (SIGUSR1, on_signal);
  pthread_create (&t, NULL, waits, NULL);
  pthread_create (&u, NULL, work, NULL);
  pthread_kill (t, SIGUSR1);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return x == 2 ? 0 : 1;
}
