/* Each passes on what it has, not knowing whether it came. */
#include <assert.h>
#include <pthread.h>

static volatile int x1, x2, x3;
static volatile int done[3];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
first (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  x1 = (x3 + 1) % 4;
  done[0] = 1;
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  x2 = x1;
  done[1] = 1;
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
third (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  x3 = x2;
  done[2] = 1;
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
fourth (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  if (done[0] && done[1] && done[2])
    assert (x1 == x2 && x2 == x3);
  pthread_mutex_unlock (&m);
  return NULL;
}

int
main (void)
{
  void *(*const all[]) (void *) = { first, second, third, fourth };
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, all[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
