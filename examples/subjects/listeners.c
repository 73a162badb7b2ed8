/* A chart tells its listeners when its data changed, while another part of the
   program adds a listener. Every operation of the list is under its lock: there is
   no race, and no operation is not atomic. Yet the list may change while it is
   walked through.

   listeners [ROUNDS]: so much is drawn before. */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROOM 64

typedef struct list {
  pthread_mutex_t lock;
  int items[ROOM];
  int count, changes;
} list;

typedef struct iterator {
  list *over;
  int at, changes;
} iterator;

OBJECT (list, listeners, { .lock = PTHREAD_MUTEX_INITIALIZER })

static void
list_add (list *c, int item)
{
  pthread_mutex_lock (&c->lock);
  if (c->count < ROOM)
    c->items[c->count++] = item;
  c->changes++;
  pthread_mutex_unlock (&c->lock);
}

static iterator *
list_iterator (list *c)
{
  iterator *i = calloc (1, sizeof *i);
  if (!i)
    abort ();
  pthread_mutex_lock (&c->lock);
  i->over = c;
  i->changes = c->changes;
  pthread_mutex_unlock (&c->lock);
  return i;
}

static int
iterator_more (iterator *i)
{
  pthread_mutex_lock (&i->over->lock);
  int more = i->at < i->over->count;
  pthread_mutex_unlock (&i->over->lock);
  return more;
}

/* Like its model in Java, it does not walk through a list that changed. */
static int
iterator_next (iterator *i)
{
  pthread_mutex_lock (&i->over->lock);
  if (i->changes != i->over->changes) {
    fputs ("the list changed while it was walked through\n", stderr);
    abort ();
  }
  int item = i->over->items[i->at++];
  pthread_mutex_unlock (&i->over->lock);
  return item;
}

static void *
chart (void *arg)
{
  work ();
  iterator *i = list_iterator (THE (listeners));
  while (iterator_more (i))
    printf ("tell listener %d\n", iterator_next (i));
  free (i);
  return arg;
}

static void *
window (void *arg)
{
  work ();
  usleep (20000); /* until the user opens it */
  list_add (THE (listeners), 3);
  return arg;
}

int
main (int argc, char **argv)
{
  list_add (THE (listeners), 1);
  list_add (THE (listeners), 2);
  run_both (argc, argv, chart, window);
  printf ("%ld drawn\n", work_done);
  return 0;
}
