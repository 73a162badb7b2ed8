#include <pthread.h>
int
main (void)
{
  pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock (&l);
  pthread_rwlock_unlock (&l);
  pthread_rwlock_wrlock (&l);
#ifdef BAD
  pthread_rwlock_rdlock (&l); /* answers EDEADLK */
#endif
  pthread_rwlock_unlock (&l);
  pthread_rwlock_rdlock (&l);
  pthread_rwlock_unlock (&l);
  return 0;
}
