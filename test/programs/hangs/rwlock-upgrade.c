/* hang: own-lock
   A reader that wants to write while it still reads. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

int
main (void)
{
  pthread_rwlock_rdlock (&table);
  if (!entries) {
#ifdef FIXED
    pthread_rwlock_unlock (&table);
#endif
    pthread_rwlock_wrlock (&table);
    entries++;
  }
  pthread_rwlock_unlock (&table);
  return 0;
}
