/* Accesses of all sizes, atomics, locks; a race on `shared`. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef struct all {
  char c;
  short s;
  int i;
  long l;
  double d;
  __int128 w;
} all;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile all values;
static volatile int shared;
static atomic_long total;
static atomic_char small;
static _Atomic __int128 wide;

static void *
work (void *arg)
{
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock (&lock);
    values.c++;
    values.s++;
    values.i++;
    values.l++;
    values.d += 0.5;
    values.w += 2;
    pthread_mutex_unlock (&lock);
    atomic_fetch_add (&total, 2);
    atomic_fetch_add_explicit (&small, 1, memory_order_relaxed);
    shared = i;
  }
  __int128 old = atomic_load (&wide);
  while (!atomic_compare_exchange_weak (&wide, &old, old + 7))
    ;
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  atomic_thread_fence (memory_order_seq_cst);
  printf ("%d %d %d %ld %g %d\n", values.c, values.s, values.i, values.l,
          values.d, (int)values.w);
  printf ("%ld %d %d\n", atomic_load (&total), atomic_load (&small),
          (int)atomic_load (&wide));
  return 0;
}
