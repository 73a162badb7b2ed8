/* libc keeps a tree, under the program's lock
   omen: none */
#include <pthread.h>
#include <sched.h>
#include <search.h>

typedef struct pair {
  int key, value;
} pair;

static void *root;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int
compare (const void *a, const void *b)
{
  return ((const pair *)a)->key - ((const pair *)b)->key;
}

static void *
finder (void *arg)
{
  pair wanted = { 7, 0 }, *found = NULL;
  while (!found) {
    pthread_mutex_lock (&m);
    pair **at = tfind (&wanted, &root, compare);
    if (at)
      found = *at;
    pthread_mutex_unlock (&m);
    sched_yield ();
  }
  if (found->value != 5)
    __builtin_trap ();
  return arg;
}

int
main (void)
{
  static pair one;
  pthread_t a;
  pthread_create (&a, NULL, finder, NULL);
  one.key = 7;
  one.value = 5;
  pthread_mutex_lock (&m);
  tsearch (&one, &root, compare);
  pthread_mutex_unlock (&m);
  pthread_join (a, NULL);
  return 0;
}
