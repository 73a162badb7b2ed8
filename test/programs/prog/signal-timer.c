/* a handler of a timer's signal, whose write races
   omen: race */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int x;
static volatile sig_atomic_t handled;

static void
on_signal (int number)
{
  (void)number;
  x = 1;
  handled = 1;
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
  struct itimerval soon = { .it_value = { .tv_usec = 5000 } };
  pthread_t t;
  signal (SIGALRM, on_signal);
  pthread_create (&t, NULL, work, NULL);
  setitimer (ITIMER_REAL, &soon, NULL);
  while (!handled)
    usleep (1000);
  pthread_join (t, NULL);
  return 0;
}
