/* lifetime: none
   What was replaced is freed when all who may use it have passed a barrier, or were
   joined. */
#include "two.h"

enum { ROUNDS = 3 };

typedef struct table {
  int value;
} table;

static table *_Atomic current;
static pthread_barrier_t quiet;
static long sum;

static table *
replace (int value)
{
  table *next = calloc (1, sizeof *next), *old = current;
  next->value = value;
  current = next;
  return old;
}

static void *
reads (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    for (int k = 0; k < 5; k++)
      sum += current->value;
    pthread_barrier_wait (&quiet);
  }
  sum += current->value;
  return arg;
}

static void *
writes (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    table *old = replace (i);
    pthread_barrier_wait (&quiet);
    free (old);
  }
  return arg;
}

int
main (void)
{
  pthread_t reader, writer;
  table *old;
  current = calloc (1, sizeof (table));
  pthread_barrier_init (&quiet, NULL, 2);
  pthread_create (&reader, NULL, reads, NULL);
  pthread_create (&writer, NULL, writes, NULL);
  pthread_join (writer, NULL);
  old = replace (ROUNDS);
  pthread_join (reader, NULL);
  free (old);
  free (current);
  return 0;
}
