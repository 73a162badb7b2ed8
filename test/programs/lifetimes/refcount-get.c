/* lifetime: use-after-free
   Keyrings of a kernel: an object is looked up under the lock of the table, and its
   count is raised after the lock was given up. */
#include "two.h"

typedef struct key {
  int users, serial;
} key;

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static key *found;

static void
put (key *k)
{
  if (__atomic_sub_fetch (&k->users, 1, __ATOMIC_ACQ_REL) == 0)
    free (k);
}

static void *
reader (void *arg)
{
  key *k;
  pthread_mutex_lock (&table);
  k = found;
#ifdef FIXED
  if (k)
    __atomic_add_fetch (&k->users, 1, __ATOMIC_RELAXED);
#endif
  pthread_mutex_unlock (&table);
  if (k) {
#ifndef FIXED
    __atomic_add_fetch (&k->users, 1, __ATOMIC_RELAXED);
#endif
    k->serial++;
    put (k);
  }
  return arg;
}

static void *
revoker (void *arg)
{
  key *k;
  later ();
  pthread_mutex_lock (&table);
  k = found;
  found = NULL;
  pthread_mutex_unlock (&table);
  put (k);
  return arg;
}

int
main (void)
{
  found = calloc (1, sizeof *found);
  found->users = 1;
  run_two (reader, revoker);
  return 0;
}
