/* a library that is not woven (kept-library.c) keeps pointers and writes through
   them in later calls, and in a thread of its own
   omen: none */
#include "kept.h"

#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long table[256], total; /* under m */
static volatile long ticks;    /* the library's thread writes it */

static void *
user (void *arg)
{
  long seen = 0;
  for (int i = 0; i < 200; i++) {
    pthread_mutex_lock (&m);
    kept_step (i);
    for (int k = 0; k < 256; k += 17)
      total += table[k];
    pthread_mutex_unlock (&m);
    if (ticks < seen)
      return NULL;
    seen = ticks;
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  void *ends[2];
  kept_start (table, 256, &ticks);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, user, table);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], &ends[i]);
  kept_stop ();
  return !(ends[0] && ends[1] && total);
}
