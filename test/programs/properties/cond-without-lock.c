#include <pthread.h>
#include <time.h>
int
main (void)
{
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  struct timespec now = { 0, 0 };
  pthread_mutex_lock (&m);
  pthread_cond_timedwait (&c, &m, &now);
  pthread_mutex_unlock (&m);
#ifdef BAD
  pthread_cond_timedwait (&c, &m, &now);
#endif
  return 0;
}
