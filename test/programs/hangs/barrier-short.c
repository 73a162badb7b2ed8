/* hang: barrier barrier thread
   A barrier for one thread more than there are. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


#ifdef FIXED
enum { SIZE = 2 };
#else
enum { SIZE = 3 };
#endif
static pthread_barrier_t meet;

static void *
work (void *arg)
{
  pthread_barrier_wait (&meet);
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  pthread_barrier_init (&meet, NULL, SIZE);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
