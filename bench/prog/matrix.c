/* Matrix multiplication, rows shared out among threads.

     matrix [THREADS [SIZE]]

   Prints the sum of the product. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double *a, *b, *c;
static int size, threads;

static void *
multiply (void *arg)
{
  int first = (int)(intptr_t)arg;
  for (int i = first; i < size; i += threads)
    for (int j = 0; j < size; j++) {
      double sum = 0;
      for (int k = 0; k < size; k++)
        sum += a[i * size + k] * b[k * size + j];
      c[i * size + j] = sum;
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  threads = argc > 1 ? atoi (argv[1]) : 4;
  size = argc > 2 ? atoi (argv[2]) : 800;
  size_t cells = (size_t)size * (size_t)size;
  pthread_t *ids = calloc ((size_t)threads, sizeof *ids);
  double total = 0;
  a = malloc (cells * sizeof *a);
  b = malloc (cells * sizeof *b);
  c = malloc (cells * sizeof *c);
  for (size_t i = 0; i < cells; i++) {
    a[i] = (double)(i % 7);
    b[i] = (double)(i % 5);
  }
  for (int i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, multiply, (void *)(intptr_t)i);
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  for (size_t i = 0; i < cells; i++)
    total += c[i];
  printf ("%.0f\n", total);
  free (a);
  free (b);
  free (c);
  free (ids);
  return 0;
}
