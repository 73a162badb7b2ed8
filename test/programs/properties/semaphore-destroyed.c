#include <semaphore.h>
int
main (void)
{
  sem_t s;
  int value;
  for (int i = 0; i < 2; i++) {
    sem_init (&s, 0, 1);
    sem_wait (&s);
    sem_post (&s);
    sem_destroy (&s);
  }
#ifdef BAD
  sem_getvalue (&s, &value);
#endif
  (void)value;
  return 0;
}
