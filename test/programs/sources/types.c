/* Blocks of types that the source names where it allocates them, and of types
   that it does not name: by the variable, the member, the element, the result
   of a function; a number; a size that does not fit */
#include <pthread.h>
#include <stdlib.h>

struct item {
  int refcount, value;
  struct item *next;
};
typedef struct {
  long total, count;
} stats;
struct queue {
  struct item *head;
  stats *all, **each;
  char *text;
};
static struct queue *queue;
static stats *many;
static struct item *small;

static struct item *
make (void)
{
  return calloc (1, sizeof (struct item)); /* returned */
}

static void *
work (void *at)
{
  struct item *item = at;
  item->refcount--;
  queue->head->value++;
  queue->all->count++;
  queue->each[1]->total++;
  many[2].total++;
  queue->text[3]++;
  small->value++;
  return NULL;
}

int
main (void)
{
  pthread_t t[2];
  struct item *item = malloc (sizeof *item); /* local */
  item->refcount = 2;
  queue = calloc (1, sizeof *queue);
  queue->head = make ();
  queue->all = calloc (1, sizeof *queue->all);   /* member */
  queue->each = calloc (2, sizeof *queue->each); /* pointers */
  queue->each[1] = calloc (1, sizeof (stats));   /* element */
  queue->text = calloc (1, 16);                  /* text */
  many = calloc (4, sizeof *many);               /* array */
  small = calloc (1, 8);                         /* small */
  for (int i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, work, item);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  return 0;
}
