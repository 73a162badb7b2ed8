#include <pthread.h>
static void *
work (void *unused)
{
  return unused;
}
int
main (void)
{
  pthread_t t;
  for (int i = 0; i < 5; i++) {
    pthread_create (&t, NULL, work, NULL);
    pthread_join (t, NULL);
  }
  pthread_create (&t, NULL, work, NULL);
#ifdef BAD
  pthread_detach (t);
  pthread_detach (t);
#else
  pthread_join (t, NULL);
#endif
  return 0;
}
