/* The last user frees the block: users are counted under a lock, or by an
   atomic. omen: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "two.h"

typedef struct box {
  pthread_mutex_t lock;
  int users, value;
  atomic_int more_users;
} box;

static box *shared, *other;

static void *
use (void *arg)
{
  int left;
  pthread_mutex_lock (&shared->lock);
  shared->value++;
  left = --shared->users;
  pthread_mutex_unlock (&shared->lock);
  if (!left) {
    pthread_mutex_destroy (&shared->lock);
    free (shared);
  }
  pthread_mutex_lock (&other->lock);
  other->value++;
  pthread_mutex_unlock (&other->lock);
  if (atomic_fetch_sub (&other->more_users, 1) == 1) {
    pthread_mutex_destroy (&other->lock);
    free (other);
  }
  return arg;
}

static box *
make (void)
{
  box *b = calloc (1, sizeof *b);
  pthread_mutex_init (&b->lock, NULL);
  b->users = 2;
  atomic_init (&b->more_users, 2);
  return b;
}

int
main (void)
{
  shared = make ();
  other = make ();
  run_two (use, use);
  return 0;
}
