/* a block changes hands under the lock
   omen: none */
#include <pthread.h>
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
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
