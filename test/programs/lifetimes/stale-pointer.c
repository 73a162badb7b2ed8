/* lifetime: use-after-free
   A new table is put in place of the old one, which is freed before; who looks up
   takes the lock, but may find the old one still there. */
#include "two.h"

typedef struct table {
  int entries;
} table;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static table *current;
static int found;

static void *
replaces (void *arg)
{
  table *next = calloc (1, sizeof *next);
#ifdef FIXED
  pthread_mutex_lock (&lock);
  free (current);
  current = next;
  pthread_mutex_unlock (&lock);
#else
  pthread_mutex_lock (&lock);
  free (current);
  pthread_mutex_unlock (&lock);
  pthread_mutex_lock (&lock);
  current = next;
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

static void *
looks_up (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  found += current->entries;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  current = calloc (1, sizeof *current);
  run_two (replaces, looks_up);
  free (current);
  return 0;
}
