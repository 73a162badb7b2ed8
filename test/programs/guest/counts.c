/* Two threads count one atomic up to 2000 and look at it in between. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic long counter;

static void *
count (void *unused)
{
  long seen = 0;
  for (int i = 0; i < 1000; i++) {
    atomic_fetch_add (&counter, 1);
    seen += atomic_load (&counter) > 0;
  }
  return seen == 1000 ? NULL : unused;
}

int
main (void)
{
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, count, threads);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", counter);
  return 0;
}
