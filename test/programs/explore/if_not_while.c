/* Who was woken does not look again: somebody else was faster. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int count;

static void *
put (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  count++;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return NULL;
}

static void *
get (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&m);
  if (count == 0)
    pthread_cond_wait (&c, &m);
  assert (count > 0);
  count--;
  pthread_mutex_unlock (&m);
  return NULL;
}

int
main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, i < 2 ? put : get, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
