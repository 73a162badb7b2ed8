/* a flag is set by the library
   omen: none */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

void library_set (_Atomic int *flag);

static _Atomic int flag;
static volatile int data;

static void *
waiter (void *arg)
{
  while (!atomic_load (&flag))
    sched_yield ();
  data++;
  return arg;
}

int
main (void)
{
  pthread_t a;
  pthread_create (&a, NULL, waiter, NULL);
  data = 5;
  library_set (&flag);
  pthread_join (a, NULL);
  return 0;
}
