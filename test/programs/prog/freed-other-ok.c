/* Two nodes of one malloc, each with a lock at its start and at its end: one is
   freed while the locks of the other are held. omen: none */
#include <pthread.h>
#include <stdlib.h>

typedef struct node {
  pthread_mutex_t first;
  int value;
  pthread_mutex_t last;
} node;

static node *
make (void)
{
  node *n = malloc (sizeof *n);
  pthread_mutex_init (&n->first, NULL);
  pthread_mutex_init (&n->last, NULL);
  n->value = 0;
  return n;
}

static void *
renew (void *arg)
{
  node *kept = arg;
  for (int i = 0; i < 3; i++) {
    node *other = make ();
    pthread_mutex_lock (&kept->first);
    pthread_mutex_lock (&kept->last);
    pthread_mutex_lock (&other->first);
    kept->value++;
    pthread_mutex_unlock (&other->first);
    pthread_mutex_destroy (&other->first);
    free (other);
    pthread_mutex_unlock (&kept->last);
    pthread_mutex_unlock (&kept->first);
  }
  return NULL;
}

int
main (void)
{
  node *kept = make ();
  pthread_t thread;
  pthread_create (&thread, NULL, renew, kept);
  renew (kept);
  pthread_join (thread, NULL);
  free (kept);
  return 0;
}
