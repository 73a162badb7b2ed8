/* spin locks
   omen: none */
#include <pthread.h>
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
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
