/* lifetime: none
   A null pointer is never followed: a flag tells, or the pointer itself, looked at in
   the same section, or made there. */
#include "two.h"

#include <string.h>

enum { ROUNDS = 20 };

typedef struct session {
  int count;
} session;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static session *current, one, *volatile checked;
static char *cache;
static int is_open;
static size_t sum;

static void *
uses (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock (&lock);
    if (is_open)
      sum += current->count;
    if (checked)
      sum += checked->count;
    if (!cache)
      cache = strdup ("made");
    sum += strlen (cache);
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

static void *
opens (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock (&lock);
    if (is_open) {
      free (current);
      current = NULL;
    } else
      current = calloc (1, sizeof *current);
    is_open = !is_open;
    checked = is_open ? &one : NULL;
    free (cache);
    cache = NULL;
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

int
main (void)
{
  run_two (opens, uses);
  free (current);
  free (cache);
  return 0;
}
