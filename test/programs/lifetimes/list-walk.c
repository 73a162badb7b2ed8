/* lifetime: use-after-free
   A walk over a list gives up the lock to do its work, and goes on from the element
   where it was. */
#include "two.h"

typedef struct node {
  struct node *next;
  int value;
} node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static node *list;
static long sum;

static void *
walk (void *arg)
{
  node *n;
  pthread_mutex_lock (&lock);
  for (n = list; n; n = n->next) {
#ifndef FIXED
    pthread_mutex_unlock (&lock);
    pthread_mutex_lock (&lock);
#endif
    sum += n->value;
  }
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
drop (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  node *n = list;
  list = n->next;
  free (n);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  for (int i = 0; i < 3; i++) {
    node *n = calloc (1, sizeof *n);
    n->next = list;
    n->value = i;
    list = n;
  }
  run_two (walk, drop);
  return 0;
}
