/* Loops that wait for others: with atomics, with yield, with a plain flag, with
   sleep. repeats. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_int turn;
static volatile int plain;
static void *
by_atomic (void *unused)
{
  while (atomic_load (&turn) != 1)
    ;
  atomic_store (&turn, 2);
  return NULL;
}
static void *
by_yield (void *unused)
{
  while (atomic_load (&turn) != 2)
    sched_yield ();
  atomic_store (&turn, 3);
  return NULL;
}
static void *
by_flag (void *unused)
{
  while (!plain)
    ;
  return NULL;
}
static void *
by_sleep (void *unused)
{
  while (atomic_load_explicit (&turn, memory_order_acquire) != 3)
    usleep (1000);
  plain = 1;
  return NULL;
}
int
main (void)
{
  void *(*bodies[]) (void *) = { by_atomic, by_yield, by_flag, by_sleep };
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, bodies[i], NULL);
  usleep (5000);
  atomic_store (&turn, 1);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  printf ("%d %d\n", turn, plain); /* wanted: 3 1 */
  return 0;
}
