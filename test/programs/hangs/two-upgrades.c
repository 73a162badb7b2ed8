/* hang: own-lock own-lock thread
   Two readers that both want to write wait for each other to stop reading. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static int entries;

static void *
work (void *arg)
{
  pthread_rwlock_rdlock (&table);
  pthread_barrier_wait (&both);
#ifdef FIXED
  pthread_rwlock_unlock (&table);
#endif
  pthread_rwlock_wrlock (&table);
  entries++;
  pthread_rwlock_unlock (&table);
  return arg;
}

int
main (void)
{
  pthread_t one, two;
  pthread_barrier_init (&both, NULL, 2);
  pthread_create (&one, NULL, work, NULL);
  pthread_create (&two, NULL, work, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
