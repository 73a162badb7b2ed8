/* lifetime: none
   A buffer grows and shrinks in place under a lock; who uses it takes its address
   each time. */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;
static size_t size = 64;

static void *
uses (void *arg)
{
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock (&lock);
    buffer[size - 1]++;
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

static void *
resizes (void *arg)
{
  for (size_t i = 0; i < 5; i++) {
    pthread_mutex_lock (&lock);
    size = 60 + i;
    buffer = realloc (buffer, size);
    buffer[size - 1] = 0;
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

int
main (void)
{
  buffer = calloc (1, size);
  run_two (uses, resizes);
  free (buffer);
  return 0;
}
