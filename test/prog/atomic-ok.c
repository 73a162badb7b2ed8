/* published with release and acquire
   omen: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;
static volatile int x;

static void *
first (void *arg)
{
  x = 7;
  atomic_store_explicit (&flag, 1, memory_order_release);
  return arg;
}

static void *
second (void *arg)
{
  if (atomic_load_explicit (&flag, memory_order_acquire) && x != 7)
    abort ();
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
