/* lifetime: use-after-free
   An element of an array is used after the array was made larger. */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *elements;
static size_t count;

static void *
uses (void *arg)
{
  int *element;
  pthread_mutex_lock (&lock);
  element = &elements[1];
#ifdef FIXED
  *element += 1;
#endif
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  pthread_mutex_lock (&lock);
  *element += 1;
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

static void *
grows (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  count *= 1000;
  elements = realloc (elements, count * sizeof *elements);
  elements[count - 1] = 0;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  count = 4;
  elements = calloc (count, sizeof *elements);
  run_two (uses, grows);
  return elements[1] != 1;
}
