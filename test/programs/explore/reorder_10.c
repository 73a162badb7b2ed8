/* 9 threads set a, then b; one that comes in between all of them sees a alone. */
#include <assert.h>
#include <pthread.h>


enum { SETTERS = 9 };
static volatile int a, b;

static void *
set (void *arg)
{
  (void)arg;
  a = 1;
  b = -1;
  return NULL;
}

static void *
look (void *arg)
{
  (void)arg;
  int x = a, y = b;
  assert ((x == 0 && y == 0) || (x == 1 && y == -1) || (x == 0 && y == -1));
  return NULL;
}

int
main (void)
{
  pthread_t setters[SETTERS], looker;
  for (int i = 0; i < SETTERS; i++)
    pthread_create (&setters[i], NULL, set, NULL);
  pthread_create (&looker, NULL, look, NULL);
  for (int i = 0; i < SETTERS; i++)
    pthread_join (setters[i], NULL);
  pthread_join (looker, NULL);
  return 0;
}
