#include "kept.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static long *kept;
static int kept_size;
static volatile long *kept_ticks;
static atomic_bool over;
static pthread_t ticker;

static void *
tick (void *arg)
{
  while (!over) {
    ++*kept_ticks;
    usleep (30);
  }
  return arg;
}

void
kept_start (long *table, int size, volatile long *ticks)
{
  kept = table;
  kept_size = size;
  kept_ticks = ticks;
  pthread_create (&ticker, NULL, tick, NULL);
}

void
kept_step (int turn)
{
  for (int i = 0; i < kept_size; i++)
    kept[i] += turn ^ i;
}

void
kept_stop (void)
{
  over = 1;
  pthread_join (ticker, NULL);
}
