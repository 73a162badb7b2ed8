/* The node is freed while the lock at its end is held, and another one of the
   same malloc lives on. omen: misuse */
#include <pthread.h>
#include <stdlib.h>

typedef struct node {
  int value;
  pthread_mutex_t lock;
} node;

static node *
make (void)
{
  node *n = calloc (1, sizeof *n);
  pthread_mutex_init (&n->lock, NULL);
  return n;
}

static void *
add (void *arg)
{
  node *n = arg;
  pthread_mutex_lock (&n->lock);
  n->value++;
  pthread_mutex_unlock (&n->lock);
  return NULL;
}

int
main (void)
{
  node *one = make (), *two = make ();
  pthread_t thread;
  pthread_create (&thread, NULL, add, one);
  add (one);
  pthread_join (thread, NULL);
  add (two);
  pthread_mutex_lock (&one->lock);
  free (one);
  free (two);
  return 0;
}
