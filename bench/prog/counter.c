/* Lock-free: a counter and a stack of atomics, shared by all threads.

     counter [THREADS [OPERATIONS-PER-THREAD]]

   Prints the counter and the sum of what was pushed and popped. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 1024 };

static _Atomic uint64_t counter, head; /* head: version << 32 | slot + 1 */
static uint32_t next[SLOTS];
static _Atomic uint64_t sum;
static uint64_t operations;

static void
push (uint32_t slot)
{
  uint64_t old = atomic_load_explicit (&head, memory_order_relaxed), new;
  do {
    next[slot] = (uint32_t)old;
    new = ((old >> 32) + 1) << 32 | (slot + 1);
  } while (!atomic_compare_exchange_weak_explicit (
      &head, &old, new, memory_order_release, memory_order_relaxed));
}

__attribute__ ((no_sanitize ("thread"))) static uint32_t
peek (uint32_t slot)
{
  return *(volatile uint32_t *)&next[slot];
}

static uint32_t
pop (void)
{
  uint64_t old = atomic_load_explicit (&head, memory_order_acquire), new;
  do {
    if (!(uint32_t)old)
      return SLOTS;
    new = ((old >> 32) + 1) << 32 | peek ((uint32_t)old - 1);
  } while (!atomic_compare_exchange_weak_explicit (
      &head, &old, new, memory_order_acquire, memory_order_acquire));
  return (uint32_t)old - 1;
}

static void *
work (void *arg)
{
  uint64_t mine = 0;
  for (uint64_t i = 0; i < operations; i++) {
    uint32_t slot = pop ();
    atomic_fetch_add_explicit (&counter, 1, memory_order_relaxed);
    if (slot < SLOTS) {
      mine++;
      push (slot);
    }
  }
  atomic_fetch_add (&sum, mine);
  return arg;
}

int
main (int argc, char **argv)
{
  int threads = argc > 1 ? atoi (argv[1]) : 4;
  operations = argc > 2 ? strtoull (argv[2], NULL, 10) : 2000000;
  pthread_t *ids = calloc ((size_t)threads, sizeof *ids);
  for (uint32_t i = 0; i < SLOTS; i++)
    push (i);
  for (int i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, work, NULL);
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  printf ("%llu, %s\n", (unsigned long long)counter,
          sum == counter ? "all slots there" : "BROKEN");
  free (ids);
  return 0;
}
