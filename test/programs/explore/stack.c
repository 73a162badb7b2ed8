/* pop looks whether there is something, and takes it later. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items[4], top;

static void
push (int x)
{
  pthread_mutex_lock (&m);
  items[top++] = x;
  pthread_mutex_unlock (&m);
}

static int
is_empty (void)
{
  pthread_mutex_lock (&m);
  int empty = top == 0;
  pthread_mutex_unlock (&m);
  return empty;
}

static void
pop (void)
{
  pthread_mutex_lock (&m);
  assert (top > 0);
  top--;
  pthread_mutex_unlock (&m);
}

static void *
first (void *arg)
{
  (void)arg;
  push (1);
  if (!is_empty ())
    pop ();
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  if (!is_empty ())
    pop ();
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
  return 0;
}
