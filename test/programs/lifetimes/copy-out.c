/* lifetime: free-in-call
   A buffer is freed while the C library copies from it. */
#include "two.h"

#include <string.h>

enum { LENGTH = 4096 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *packet;
static char copy[LENGTH];

static void *
reads (void *arg)
{
  char *mine;
  pthread_mutex_lock (&lock);
  mine = packet;
#ifdef FIXED
  if (mine)
    memcpy (copy, mine, LENGTH);
#endif
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  if (mine)
    memcpy (copy, mine, LENGTH);
#endif
  return arg;
}

static void *
drops (void *arg)
{
  char *mine;
  later ();
  pthread_mutex_lock (&lock);
  mine = packet;
  packet = NULL;
  pthread_mutex_unlock (&lock);
  free (mine);
  return arg;
}

int
main (void)
{
  packet = calloc (1, LENGTH);
  run_two (reads, drops);
  return copy[7];
}
