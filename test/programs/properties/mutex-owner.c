#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *
other (void *unused)
{
#ifdef BAD
  pthread_mutex_unlock (&m);
#else
  pthread_mutex_trylock (&m);
#endif
  return unused;
}
int
main (void)
{
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  pthread_create (&t, NULL, other, NULL);
  pthread_join (t, NULL);
#ifndef BAD
  pthread_mutex_unlock (&m);
#endif
  return 0;
}
