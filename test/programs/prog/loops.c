/* Loops that are noted whole: one thread's half of `mine` is its own, `guarded`
   has a lock, `later` is read when all is over, and of `items` both write some
   omen: race (items) */
#include "two.h"

enum { ITEMS = 1000 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items[ITEMS], mine[2 * ITEMS], later[2 * ITEMS];
static long guarded[ITEMS];

static void
work (int from, int *own, int *end)
{
  for (int i = 0; i < ITEMS; i++)
    own[i] = i * from;
  for (int i = 0; i < ITEMS; i++)
    end[i] = own[i] * 3;
  pthread_mutex_lock (&m);
  for (int i = 0; i < ITEMS; i++)
    guarded[i] += own[i];
  pthread_mutex_unlock (&m);
  for (int i = from; i < from + ITEMS * 2 / 3; i++)
    items[i] = i;
}

static void *
low (void *arg)
{
  work (0, mine, later);
  return arg;
}

static void *
high (void *arg)
{
  work (ITEMS / 3, mine + ITEMS, later + ITEMS);
  return arg;
}

int
main (void)
{
  long sum = 0;
  run_two (low, high);
  for (int i = 0; i < 2 * ITEMS; i++)
    sum += later[i] + mine[i];
  return sum == 3;
}
