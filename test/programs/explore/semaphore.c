/* A semaphore that starts with one too many. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static volatile int inside;

static void *
work (void *arg)
{
  (void)arg;
  sem_wait (&s);
  assert (++inside == 1);
  inside--;
  sem_post (&s);
  return NULL;
}

int
main (void)
{
  pthread_t threads[3];
  sem_init (&s, 0, 2);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
