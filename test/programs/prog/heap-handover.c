/* a block changes hands under the lock
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *box;

static void *
first (void *arg)
{
  int *mine = malloc (sizeof *mine);
  *mine = 7;
  pthread_mutex_lock (&m);
  box = mine;
  pthread_mutex_unlock (&m);
  return arg;
}

static void *
second (void *arg)
{
  pthread_mutex_lock (&m);
  int *mine = box;
  box = NULL;
  pthread_mutex_unlock (&m);
  if (mine)
    *mine += 1;
  free (mine);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
