/* Each looks before it says that it comes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static volatile int inside;

static void *
first (void *arg)
{
  (void)arg;
  if (flag[1])
    return NULL;
  flag[0] = 1;
  assert (++inside == 1);
  inside--;
  flag[0] = 0;
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  if (flag[0])
    return NULL;
  flag[1] = 1;
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
