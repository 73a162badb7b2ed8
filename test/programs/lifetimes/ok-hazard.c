/* lifetime: none
   Hazard pointers: who frees waits until nobody says that he uses the block. */
#include "two.h"

typedef struct node {
  int value;
} node;

static node *current, *hazard;
static int seen;

static void *
reader (void *arg)
{
  node *n;
  do {
    n = __atomic_load_n (&current, __ATOMIC_SEQ_CST);
    __atomic_store_n (&hazard, n, __ATOMIC_SEQ_CST);
  } while (n != __atomic_load_n (&current, __ATOMIC_SEQ_CST));
  seen = n->value;
  __atomic_store_n (&hazard, NULL, __ATOMIC_SEQ_CST);
  return arg;
}

static void *
writer (void *arg)
{
  node *fresh = calloc (1, sizeof *fresh), *old;
  later ();
  old = __atomic_exchange_n (&current, fresh, __ATOMIC_SEQ_CST);
  while (__atomic_load_n (&hazard, __ATOMIC_SEQ_CST) == old)
    usleep (1000);
  free (old);
  return arg;
}

int
main (void)
{
  current = calloc (1, sizeof *current);
  run_two (reader, writer);
  return 0;
}
