/* hang: semaphore
   A semaphore that serves as a lock is taken again by who has it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t lock;
static int total;

static void
add (int n)
{
  sem_wait (&lock);
  total += n;
  sem_post (&lock);
}

int
main (void)
{
  sem_init (&lock, 0, 1);
  sem_wait (&lock);
  total = 1;
#ifdef FIXED
  sem_post (&lock);
  add (2);
#else
  add (2);
  sem_post (&lock);
#endif
  return 0;
}
