#include <pthread.h>
int
main (void)
{
  pthread_mutex_t m;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_init (&m, NULL);
    pthread_mutex_lock (&m);
#ifdef BAD
    if (i == 2)
      pthread_mutex_destroy (&m);
#endif
    pthread_mutex_unlock (&m);
    pthread_mutex_destroy (&m);
  }
  return 0;
}
