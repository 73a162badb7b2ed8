/* Threads that do much: as many rounds each as the argument says. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, CELLS = 64 };

static struct cell {
  pthread_mutex_t lock;
  long value, changes;
} cells[CELLS];
static long rounds;

static void *
move (void *seed)
{
  unsigned random = (unsigned)(long)seed;
  for (long i = 0; i < rounds; i++) {
    struct cell *cell = &cells[(random = random * 1103515245 + 12345) / 65536
                               % CELLS];
    pthread_mutex_lock (&cell->lock);
    cell->value += random % 7;
    cell->changes++;
    pthread_mutex_unlock (&cell->lock);
  }
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  long changes = 0;
  rounds = argc > 1 ? atol (argv[1]) : 1000;
  for (int i = 0; i < CELLS; i++)
    pthread_mutex_init (&cells[i].lock, NULL);
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, move, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < CELLS; i++)
    changes += cells[i].changes;
  printf ("%ld\n", changes);
  return 0;
}
