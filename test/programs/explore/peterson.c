/* The turn is given away before the flag is set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static volatile int inside;

static void *
first (void *arg)
{
  (void)arg;
  turn = 1;
  flag[0] = 1;
  if (flag[1] && turn == 1)
    return NULL;
  assert (++inside == 1);
  inside--;
  flag[0] = 0;
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  turn = 0;
  flag[1] = 1;
  if (flag[0] && turn == 0)
    return NULL;
  assert (++inside == 1);
  inside--;
  flag[1] = 0;
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
