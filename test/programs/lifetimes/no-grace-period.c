/* lifetime: use-after-free
   Readers take no lock; who replaces the configuration frees the old one without
   waiting until they are through. */
#include "two.h"

typedef struct config {
  int size;
} config;

static config *_Atomic current;
static _Atomic int seen;
#ifdef FIXED
static pthread_barrier_t quiet;
#endif

static void *
reader (void *arg)
{
  config *c = __atomic_load_n ((config **)&current, __ATOMIC_ACQUIRE);
  seen = c->size;
#ifdef FIXED
  pthread_barrier_wait (&quiet);
#endif
  return arg;
}

static void *
writer (void *arg)
{
  config *fresh = calloc (1, sizeof *fresh), *old;
  later ();
  old = __atomic_exchange_n ((config **)&current, fresh, __ATOMIC_SEQ_CST);
#ifdef FIXED
  pthread_barrier_wait (&quiet);
#endif
  free (old);
  return arg;
}

int
main (void)
{
#ifdef FIXED
  pthread_barrier_init (&quiet, NULL, 2);
#endif
  current = calloc (1, sizeof (config));
  run_two (reader, writer);
  return 0;
}
