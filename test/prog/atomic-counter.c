/* a counter needs no lock
   omen: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int count;

static void *
first (void *arg)
{
  for (int i = 0; i < 10; i++)
    atomic_fetch_add (&count, 1);
  return arg;
}

static void *
second (void *arg)
{
  for (int i = 0; i < 10; i++)
    atomic_fetch_add (&count, 1);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
