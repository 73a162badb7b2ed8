/* a handler that writes its own flag
   omen: none */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void
on_signal (int number)
{
  (void)number;
  seen = 1;
}

static void *
work (void *arg)
{
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  pthread_t t;
  signal (SIGUSR1, on_signal);
  pthread_create (&t, NULL, work, NULL);
  raise (SIGUSR1);
  work (NULL);
  pthread_join (t, NULL);
  return seen && x == 2 ? 0 : 1;
}
