/* what a thread did before it registered a function for the end comes before
   that, although nobody joins the thread
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int x;

static void
at_the_end (void)
{
  x = x + 1;
}

static void *
work (void *arg)
{
  x = 5;
  atexit (at_the_end);
  for (;;)
    pause ();
  return arg;
}

int
main (void)
{
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  usleep (100000);
  return 0;
}
