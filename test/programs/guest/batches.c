/* Stores that nothing can shorten, so that the recording is large.

     batches COUNT

   Prints their sum. Another thread looks at the cells, for somebody has to. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t cells[1024];

static void *
look (void *sum)
{
  for (int i = 0; i < 1024; i++)
    *(uint64_t *)sum += cells[i];
  return NULL;
}

int
main (int argc, char **argv)
{
  uint64_t seed = 1, sum = 0;
  for (long i = argc > 1 ? atol (argv[1]) : 0; i; i--) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    cells[seed >> 54] = seed;
    sum += seed;
  }
  pthread_t other;
  pthread_create (&other, NULL, look, &sum);
  pthread_join (other, NULL);
  printf ("%llu\n", (unsigned long long)sum);
  return 0;
}
