/* a lock made of inline assembly, which is given an address
   omen: none */
#include <pthread.h>
#include <sched.h>

static volatile int lock;
static volatile int count;

static int
exchange (volatile int *place, int value)
{
  __asm__ volatile ("xchgl %0, (%1)" : "+r"(value) : "r"(place) : "memory");
  return value;
}

static void *
work (void *arg)
{
  for (int i = 0; i < 3; i++) {
    while (exchange (&lock, 1))
      sched_yield ();
    count++;
    exchange (&lock, 0);
  }
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, work, NULL);
  pthread_create (&b, NULL, work, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
