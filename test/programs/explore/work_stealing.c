/* A queue that is stolen from: the last item is taken twice. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int head, tail;
static volatile int taken[4];

static void
push (int i)
{
  taken[i] = 0;
  tail = tail + 1;
}

static int
pop (void)
{
  int t = tail - 1;
  tail = t;
  if (head <= t)
    return t;
  tail = t + 1;
  return -1;
}

static int
steal (void)
{
  pthread_mutex_lock (&m);
  int h = head, got = -1;
  if (h < tail) {
    head = h + 1;
    got = h;
  }
  pthread_mutex_unlock (&m);
  return got;
}

static void
use (int i)
{
  if (i >= 0)
    assert (!taken[i]++);
}

static void *
first (void *arg)
{
  (void)arg;
  push (0);
  push (1);
  use (pop ());
  use (pop ());
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  use (steal ());
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
