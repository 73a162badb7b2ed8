/* A heap block that two threads change at the same time. */
#include "node.h"

#include <pthread.h>
#include <stdlib.h>

static struct node *
make_node (void)
{
  return calloc (1, sizeof (struct node)); /* allocated here */
}

static struct node *
make_list (void)
{
  return make_node ();
}

static void *
work (void *arg)
{
  bump (arg);
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  struct node *n = make_list ();
  pthread_create (&thread, NULL, work, n);
  bump (n);
  pthread_join (thread, NULL);
  free (n);
  return 0;
}
