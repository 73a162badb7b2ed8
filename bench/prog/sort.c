/* Merge sort; the upper levels of the recursion are threads.

     sort [THREADS [ITEMS]]

   Prints whether the result is sorted, and its median. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  uint32_t *items, *spare;
  size_t count;
  int threads;
} job;

static void *sort (void *arg);

static void
merge (uint32_t *items, uint32_t *spare, size_t half, size_t count)
{
  size_t i = 0, j = half, k = 0;
  while (i < half && j < count)
    spare[k++] = items[i] <= items[j] ? items[i++] : items[j++];
  while (i < half)
    spare[k++] = items[i++];
  while (j < count)
    spare[k++] = items[j++];
  memcpy (items, spare, count * sizeof *items);
}

static void
sort_both (job *low, job *high)
{
  pthread_t other;
  if (low->threads > 1) {
    low->threads /= 2;
    high->threads -= low->threads;
    pthread_create (&other, NULL, sort, high);
    sort (low);
    pthread_join (other, NULL);
  } else {
    sort (low);
    sort (high);
  }
}

static void *
sort (void *arg)
{
  job *all = arg;
  size_t half = all->count / 2;
  if (all->count < 2)
    return NULL;
  job low = { all->items, all->spare, half, all->threads };
  job high = { all->items + half, all->spare + half, all->count - half,
               all->threads };
  sort_both (&low, &high);
  merge (all->items, all->spare, half, all->count);
  return NULL;
}

int
main (int argc, char **argv)
{
  int threads = argc > 1 ? atoi (argv[1]) : 4;
  size_t count = argc > 2 ? strtoull (argv[2], NULL, 10) : 4000000;
  uint32_t *items = malloc (count * sizeof *items), seed = 1;
  uint32_t *spare = malloc (count * sizeof *spare);
  int sorted = 1;
  for (size_t i = 0; i < count; i++)
    items[i] = (seed = seed * 1664525 + 1013904223) >> 8;
  sort (&(job){ items, spare, count, threads });
  for (size_t i = 1; i < count; i++)
    sorted &= items[i - 1] <= items[i];
  printf ("%s, median %u\n", sorted ? "sorted" : "BROKEN", items[count / 2]);
  free (items);
  free (spare);
  return 0;
}
