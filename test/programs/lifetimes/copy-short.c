/* lifetime: free-in-call
   A name is dropped while the C library copies it, a few bytes. */
#include "two.h"

#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile size_t length = 40;
static char *name, copy[64];

static void *
reads (void *arg)
{
  pthread_mutex_lock (&lock);
  char *mine = name;
#ifdef FIXED
  if (mine)
    memcpy (copy, mine, length);
#endif
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  if (mine)
    memcpy (copy, mine, length);
#endif
  return arg;
}

static void *
drops (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  char *mine = name;
  name = NULL;
  pthread_mutex_unlock (&lock);
  free (mine);
  return arg;
}

int
main (void)
{
  name = calloc (1, length);
  run_two (reads, drops);
  return copy[4];
}
