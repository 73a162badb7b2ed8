/* Two threads that do nothing but use one variable, without a lock.

   huge ACCESSES: of each thread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long shared;
static long accesses;

static void *
use (void *arg)
{
  for (long i = 0; i < accesses / 2; i++)
    shared = shared + 1;
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t threads[2];
  accesses = argc > 1 ? atol (argv[1]) : 1000;
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  puts (shared ? "used" : "not used");
  return 0;
}
