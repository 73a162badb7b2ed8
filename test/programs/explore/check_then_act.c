/* An entry is added if it is not there: by both. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int keys[4], count;

static int
find (int key)
{
  int found = 0;
  pthread_mutex_lock (&m);
  for (int i = 0; i < count; i++)
    found |= keys[i] == key;
  pthread_mutex_unlock (&m);
  return found;
}

static void
add (int key)
{
  pthread_mutex_lock (&m);
  keys[count++] = key;
  pthread_mutex_unlock (&m);
}

static void *
first (void *arg)
{
  (void)arg;
  if (!find (1))
    add (1);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  if (!find (1))
    add (1);
  return NULL;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (count == 1);
  return 0;
}
