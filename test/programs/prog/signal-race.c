/* a handler that another thread's write races with
   omen: race */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int x;
static volatile int steps;

static void
on_signal (int number)
{
  (void)number;
  x = 1;
}

static void *
work (void *arg)
{
  for (int i = 0; i < 20; i++)
    steps++;
  pthread_kill (*(pthread_t *)arg, SIGUSR1);
  return NULL;
}

static void *
write_too (void *arg)
{
  x = 2;
  return arg;
}

int
main (void)
{
  pthread_t me = pthread_self (), a, b;
  volatile int mine = 0;
  signal (SIGUSR1, on_signal);
  pthread_create (&a, NULL, work, &me);
  pthread_create (&b, NULL, write_too, NULL);
  for (int i = 0; i < 1000; i++)
    mine++;
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return mine == 1000 && x ? 0 : 1;
}
