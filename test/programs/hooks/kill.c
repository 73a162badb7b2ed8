// Who sends a signal comes before the handler that it calls.
//: hb 7
//: ha 6
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t handled, over;
static int data;

static void
handle (int number)
{
  handled += data;
}

static void *
work (void *arg)
{
  while (!over)
    usleep (100);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  struct sigaction how = { .sa_handler = handle };
  sigaction (SIGUSR1, &how, NULL);
  sigaction (SIGUSR2, &how, NULL);
  pthread_create (&thread, NULL, work, NULL);
  data = 1;
  pthread_kill (thread, SIGUSR1);
  while (handled < 1)
    usleep (100);
  data = 2;
  kill (getpid (), SIGUSR2);
  while (handled < 3)
    usleep (100);
  data = 3;
  pthread_kill (pthread_self (), SIGUSR1);
  over = 1;
  pthread_join (thread, NULL);
  printf ("%d\n", (int)handled);
  return 0;
}
