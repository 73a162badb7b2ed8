/* Producers and consumers on a bounded queue with one mutex and two
   conditions.

     queue [THREADS [ITEMS-PER-PRODUCER]]

   Half of the threads produce. Prints the number and sum of what came out. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 256 };

static uint64_t ring[ROOM];
static unsigned head, tail;
static int producers;
static uint64_t items, count, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void
put (uint64_t item)
{
  pthread_mutex_lock (&lock);
  while (tail - head == ROOM)
    pthread_cond_wait (&not_full, &lock);
  ring[tail++ % ROOM] = item;
  pthread_cond_signal (&not_empty);
  pthread_mutex_unlock (&lock);
}

static int
get (uint64_t *item)
{
  pthread_mutex_lock (&lock);
  while (tail == head && producers)
    pthread_cond_wait (&not_empty, &lock);
  int got = tail != head;
  if (got)
    *item = ring[head++ % ROOM];
  pthread_cond_signal (&not_full);
  pthread_mutex_unlock (&lock);
  return got;
}

static void *
produce (void *arg)
{
  uint64_t seed = (uintptr_t)arg;
  for (uint64_t i = 0; i < items; i++) {
    for (int k = 0; k < 20; k++)
      seed = seed * 6364136223846793005U + 1442695040888963407U;
    put (i ^ (seed & 0));
  }
  pthread_mutex_lock (&lock);
  producers--;
  pthread_cond_broadcast (&not_empty);
  pthread_mutex_unlock (&lock);
  return NULL;
}

static void *
consume (void *arg)
{
  uint64_t item, my_count = 0, my_sum = 0;
  while (get (&item)) {
    my_count++;
    my_sum += item;
  }
  pthread_mutex_lock (&lock);
  count += my_count;
  sum += my_sum;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (int argc, char **argv)
{
  int threads = argc > 1 ? atoi (argv[1]) : 4;
  items = argc > 2 ? strtoull (argv[2], NULL, 10) : 1000000;
  pthread_t *ids = calloc ((size_t)threads, sizeof *ids);
  producers = threads > 1 ? threads / 2 : 1;
  int consumers = threads - producers;
  for (int i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, i < consumers ? consume : produce,
                    (void *)(uintptr_t)i);
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  printf ("%llu items, sum %llu\n", (unsigned long long)count,
          (unsigned long long)sum);
  free (ids);
  return 0;
}
