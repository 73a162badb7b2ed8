/* lifetime: none
   A pool keeps its blocks: what one thread gives back the other one gets. At the end
   they are freed. */
#include "two.h"

enum { ROUNDS = 20, BLOCKS = 4 };

typedef struct block {
  struct block *next;
  int value;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block *unused;

static void *
works (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    block *mine;
    pthread_mutex_lock (&lock);
    mine = unused;
    if (mine)
      unused = mine->next;
    pthread_mutex_unlock (&lock);
    if (!mine)
      continue;
    mine->value = i;
    pthread_mutex_lock (&lock);
    mine->next = unused;
    unused = mine;
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

int
main (void)
{
  for (int i = 0; i < BLOCKS; i++) {
    block *b = calloc (1, sizeof *b);
    b->next = unused;
    unused = b;
  }
  run_two (works, works);
  while (unused) {
    block *b = unused;
    unused = b->next;
    free (b);
  }
  return 0;
}
