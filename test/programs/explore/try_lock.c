/* If the lock is taken the work is left out, and missed. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *
first (void *arg)
{
  (void)arg;
  if (!pthread_mutex_trylock (&m)) {
    done++;
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  if (!pthread_mutex_trylock (&m)) {
    done++;
    pthread_mutex_unlock (&m);
  }
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
  assert (done == 2);
  return 0;
}
