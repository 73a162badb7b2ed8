/* eight threads that wait for a spin lock of the library most of the time */
#include <pthread.h>

void plain_lock (void);
void plain_unlock (void);

enum { THREADS = 8, TIMES = 10 };
static int counter;

static void *
worker (void *arg)
{
  for (int i = 0; i < TIMES; i++) {
    plain_lock ();
    counter++;
    plain_unlock ();
  }
  return arg;
}

int
main (void)
{
  pthread_t all[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create (&all[i], NULL, worker, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join (all[i], NULL);
  return counter != THREADS * TIMES;
}
