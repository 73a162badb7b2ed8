/* A block is used while another thread may free it: whether it has been is asked
   under a lock, and not asked again after it.
   omen: lifetime */
#include <pthread.h>
#include <stdlib.h>

typedef struct box {
  int used, value;
} box;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static box *shared;

static void *
use (void *arg)
{
  box *mine;
  pthread_mutex_lock (&m);
  mine = shared;
  if (mine)
    mine->used = 1;
  pthread_mutex_unlock (&m);
  if (mine)
    mine->value = 1;
  return arg;
}

int
main (void)
{
  box *mine = calloc (1, sizeof *mine);
  pthread_t thread;
  shared = mine;
  pthread_create (&thread, NULL, use, NULL);
  pthread_mutex_lock (&m);
  shared = NULL;
  pthread_mutex_unlock (&m);
  free (mine);
  pthread_join (thread, NULL);
  return 0;
}
