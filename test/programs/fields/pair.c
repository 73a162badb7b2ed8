/* Two threads, a field each. */
#include <pthread.h>

struct pair {
  int low, high;
} pair;

static void *
raise_it (void *nothing)
{
  pair.high = 1;
  return nothing;
}

int
main (void)
{
  pthread_t t;
  pthread_create (&t, NULL, raise_it, NULL);
  pair.low = 1;
  pthread_join (t, NULL);
  return pair.low + pair.high != 2;
}
