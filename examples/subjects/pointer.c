/* A table of a database has a map of the columns that a trigger uses. One thread
   asks whether there is a map, then looks into it; another one drops it, since the
   trigger has gone.

   pointer [ROUNDS]: so many rows are read before. */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct table {
  pthread_mutex_t lock;
  unsigned *columns; /* a bit each; NULL: nobody asked for some of them */
  long rows;
} table;

OBJECT (table, orders, { .lock = PTHREAD_MUTEX_INITIALIZER })

static int
has_columns (table *t)
{
  pthread_mutex_lock (&t->lock);
  int yes = t->columns != NULL;
  pthread_mutex_unlock (&t->lock);
  return yes;
}

static unsigned
uses_column (table *t, unsigned column)
{
  pthread_mutex_lock (&t->lock);
  unsigned used = *t->columns >> column & 1; /* there are some, we asked */
  pthread_mutex_unlock (&t->lock);
  return used;
}

static void
set_columns (table *t, unsigned *columns)
{
  pthread_mutex_lock (&t->lock);
  t->columns = columns;
  pthread_mutex_unlock (&t->lock);
}

static void
read_rows (table *t)
{
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock (&t->lock);
    t->rows++;
    pthread_mutex_unlock (&t->lock);
  }
}

static void *
describe (void *arg)
{
  read_rows (THE (orders));
  if (has_columns (THE (orders)))
    printf ("orders, column 3 %s used\n",
            uses_column (THE (orders), 3) ? "is" : "is not");
  else
    puts ("orders, all columns");
  return arg;
}

static void *
drop_trigger (void *arg)
{
  read_rows (THE (orders));
  usleep (20000); /* until somebody wants it */
  set_columns (THE (orders), NULL);
  return arg;
}

int
main (int argc, char **argv)
{
  static unsigned used = 8;
  set_columns (THE (orders), &used);
  run_both (argc, argv, describe, drop_trigger);
  printf ("%ld rows\n", THE (orders)->rows);
  return 0;
}
