/* lifetime: use-after-free
   Work that was queued for an object is not flushed before the object goes. */
#include "two.h"

#include <semaphore.h>

typedef struct object {
  int done;
} object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static object *queue;
static int results;
#ifdef FIXED
static sem_t flushed;
#endif

static void *
worker (void *arg)
{
  object *work;
  pthread_mutex_lock (&lock);
  work = queue;
  queue = NULL;
  pthread_mutex_unlock (&lock);
  if (work) {
    pthread_mutex_lock (&lock);
    work->done = 1;
    pthread_mutex_unlock (&lock);
  }
#ifdef FIXED
  sem_post (&flushed);
#endif
  return arg;
}

static object *mine;

static void *
owner (void *arg)
{
  later ();
#ifdef FIXED
  sem_wait (&flushed);
#endif
  pthread_mutex_lock (&lock);
  results++;
  pthread_mutex_unlock (&lock);
  free (mine);
  return arg;
}

int
main (void)
{
#ifdef FIXED
  sem_init (&flushed, 0, 0);
#endif
  queue = mine = calloc (1, sizeof *mine);
  run_two (worker, owner);
  return 0;
}
