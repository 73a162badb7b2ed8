/* a lock made of inline assembly, which is given an address
   omen: none */
#include "two.h"

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
  run_two (work, work);
  return 0;
}
