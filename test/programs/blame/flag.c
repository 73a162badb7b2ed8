/* A slot with a flag: one thread puts into it if it is empty, the other one
   takes out if it is full. If the flag is set by a compare-exchange from full to
   empty, nothing comes into put; with SWAP it is emptied in any case. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int full;

static bool
put (void)
{
  if (atomic_load (&full))
    return false;
  atomic_store (&full, 1);
  return true;
}

static bool
take (void)
{
#ifdef SWAP
  return atomic_exchange (&full, 0);
#else
  int one = 1;
  return atomic_compare_exchange_strong (&full, &one, 0);
#endif
}

static void *
producer (void *arg)
{
  for (int i = 0; i < 3; i++)
    while (!put ())
      sched_yield ();
  return arg;
}

static void *
consumer (void *arg)
{
  for (int i = 0; i < 2; i++)
    while (!take ())
      sched_yield ();
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, producer, NULL);
  pthread_create (&b, NULL, consumer, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
