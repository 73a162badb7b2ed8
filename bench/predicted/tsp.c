/* The shortest way through all towns, by branch and bound: each thread has its
   share of first legs; the best way found is written under a lock, and looked
   at without it, as programs of this kind like to do.

   tsp TOWNS THREADS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define TOWNS_MAX 16
#define THREADS_MAX 16

static int towns, far[TOWNS_MAX][TOWNS_MAX];
static pthread_mutex_t best_lock = PTHREAD_MUTEX_INITIALIZER;
static int threads, legs_done, best = 1 << 30;

static void
visit (int at, unsigned seen, int length)
{
  if (length >= best)
    return;
  if (seen == (1u << towns) - 1) {
    int whole = length + far[at][0];
    pthread_mutex_lock (&best_lock);
    if (whole < best)
      best = whole;
    pthread_mutex_unlock (&best_lock);
    return;
  }
  for (int to = 1; to < towns; to++)
    if (!(seen >> to & 1))
      visit (to, seen | 1u << to, length + far[at][to]);
}

static void *
solve (void *arg)
{
  for (int leg = 1 + (int)(long)arg; leg < towns; leg += threads) {
    visit (leg, 1u | 1u << leg, far[0][leg]);
    pthread_mutex_lock (&best_lock);
    legs_done++;
    pthread_mutex_unlock (&best_lock);
  }
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t ids[THREADS_MAX];
  threads = argc > 2 ? atoi (argv[2]) : 2;
  towns = argc > 1 ? atoi (argv[1]) : 5;
  if (towns < 2 || towns > TOWNS_MAX || threads < 1 || threads > THREADS_MAX)
    return 2;
  for (int i = 0; i < towns; i++)
    for (int j = 0; j < towns; j++)
      far[i][j] = 10 + (i * 37 + j * 37 + i * j * 11) % 90;
  for (long i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, solve, (void *)i);
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  printf ("%d by %d legs\n", best, legs_done);
  return 0;
}
