/* hang: barrier thread
   One thread leaves the loop a round too early. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_barrier_t meet;

static void *
work (void *rounds)
{
  for (long i = 0; i < (long)rounds; i++)
    pthread_barrier_wait (&meet);
  return NULL;
}

int
main (void)
{
  pthread_t one, two;
  pthread_barrier_init (&meet, NULL, 2);
  pthread_create (&one, NULL, work, (void *)2);
#ifdef FIXED
  pthread_create (&two, NULL, work, (void *)2);
#else
  pthread_create (&two, NULL, work, (void *)1);
#endif
  pthread_join (two, NULL);
  pthread_join (one, NULL);
  return 0;
}
