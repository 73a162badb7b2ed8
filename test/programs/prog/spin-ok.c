/* spin locks
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_spinlock_t spin;

static void __attribute__ ((constructor))
init (void)
{
  pthread_spin_init (&spin, PTHREAD_PROCESS_PRIVATE);
}
static volatile int x;

static void *
first (void *arg)
{
  pthread_spin_lock (&spin);
  x++;
  pthread_spin_unlock (&spin);
  return arg;
}

static void *
second (void *arg)
{
  pthread_spin_lock (&spin);
  x++;
  pthread_spin_unlock (&spin);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
