/* A stack of indices: the top is the same again, what is below is not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 1;
static atomic_int next[4] = { 0, 2, 3, 0 };
static atomic_int owner[4];

static int
pop (void)
{
  int t = top;
  if (!t)
    return 0;
  int n = next[t];
  return atomic_compare_exchange_strong (&top, &t, n) ? t : 0;
}

static void
push (int i)
{
  next[i] = top;
  top = i;
}

static void
own (int i)
{
  if (i)
    assert (!owner[i]++);
}

static void *
first (void *arg)
{
  (void)arg;
  own (pop ());
  own (pop ());
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  int a = pop (), b = pop ();
  own (b);
  if (a)
    push (a);
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
