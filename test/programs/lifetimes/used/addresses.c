/* Loads of addresses; which of them are used, or freed, whatever they are, the line
   says. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct thing {
  struct thing *next;
  pthread_mutex_t lock;
  int count, large[4000];
} thing;

static thing *volatile plain, *volatile list, *volatile spare;
static int (*volatile call) (int);
static char *volatile text;
static int sum;

static int
one (int n)
{
  return n + 1;
}

static void *
works (void *arg)
{
  thing *p;
  sum += plain->count; /* followed */
  plain->count = 3;
  sum += list->next->count; /* followed */
  sum += plain->large[3999];
  sum = call (sum); /* followed */
  sum += (int)strlen (text); /* followed */
  pthread_mutex_lock (&plain->lock); /* followed */
  pthread_mutex_unlock (&plain->lock); /* followed */
  if (plain)
    sum++;
  sum += plain->count;
  p = list;
  if (p)
    sum += p->count;
  pthread_mutex_trylock (&list->lock);
  p = list; /* followed */
  sum += p->count;
  p = plain;
  if (sum > 2)
    sum += p->count;
  p = plain;
  one (sum);
  sum += p != NULL;
  free (spare); /* freed */
  spare = NULL;
  p = spare;
  if (p)
    free (p);
  memset (plain, 0, sizeof (thing)); /* followed */
  return arg;
}

int
main (void)
{
  pthread_t thread;
  plain = calloc (1, sizeof (thing));
  list = calloc (1, sizeof (thing));
  list->next = plain;
  spare = calloc (1, sizeof (thing));
  pthread_mutex_init (&plain->lock, NULL);
  call = one;
  text = strdup ("four");
  pthread_create (&thread, NULL, works, NULL);
  pthread_join (thread, NULL);
  free (list); /* freed */
  return 0;
}
