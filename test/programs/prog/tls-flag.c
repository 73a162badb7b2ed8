/* a thread waits for a flag among its thread-local variables, which another one
   sets through a pointer
   omen: none */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static _Thread_local _Atomic int ready;
static _Atomic int *_Atomic slot;
static volatile int data;

static void *
waiter (void *arg)
{
  atomic_store (&slot, &ready);
  while (!atomic_load (&ready))
    sched_yield ();
  data++;
  return arg;
}

int
main (void)
{
  pthread_t a;
  _Atomic int *flag;
  pthread_create (&a, NULL, waiter, NULL);
  while (!(flag = atomic_load (&slot)))
    sched_yield ();
  data = 5;
  atomic_store (flag, 1);
  pthread_join (a, NULL);
  return 0;
}
