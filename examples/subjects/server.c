/* A web server counts what it served, each thread under the lock of its own
   connection.

   server [ROUNDS]: so many requests a thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t logs = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

#ifdef HEAP
#include "object.h"

typedef struct statistics {
  long served, lines;
} statistics;

OBJECT (statistics, all, { 0, 0 })
#define served THE (all)->served
#define lines THE (all)->lines
#else
static long served, lines;
#endif

static void
log_request (void)
{
  pthread_mutex_lock (&logs);
  lines++;
  pthread_mutex_unlock (&logs);
}

static void *
connection (void *own_lock)
{
  for (int i = 0; i < rounds; i++)
    log_request ();
  pthread_mutex_lock (own_lock);
  served++;
  pthread_mutex_unlock (own_lock);
  return own_lock;
}

int
main (int argc, char **argv)
{
  static pthread_mutex_t locks[2]
      = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
  pthread_t threads[2];
  rounds = argc > 1 ? atoi (argv[1]) : 1;
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, connection, &locks[i]);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld served, %ld lines\n", served, lines);
  return 0;
}
