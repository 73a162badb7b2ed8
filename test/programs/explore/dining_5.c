/* 5 philosophers, each takes the fork on the left first: a deadlock. */
#include <assert.h>
#include <pthread.h>


enum { N = 5 };
static pthread_mutex_t forks[N];
static int meals;

static void *
eat (void *arg)
{
  long i = (long)arg;
  pthread_mutex_lock (&forks[i]);
  pthread_mutex_lock (&forks[(i + 1) % N]);
  meals++;
  pthread_mutex_unlock (&forks[(i + 1) % N]);
  pthread_mutex_unlock (&forks[i]);
  return NULL;
}

int
main (void)
{
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init (&forks[i], NULL);
  for (long i = 0; i < N; i++)
    pthread_create (&threads[i], NULL, eat, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
