/* hang: thread thread thread
   Three threads that wait for the end of each other. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_t threads[3];
static sem_t all_there;

static void *
work (void *next)
{
  sem_wait (&all_there);
  if (next)
    pthread_join (*(pthread_t *)next, NULL);
  return NULL;
}

int
main (void)
{
  sem_init (&all_there, 0, 0);
  pthread_create (&threads[0], NULL, work, &threads[1]);
  pthread_create (&threads[1], NULL, work, &threads[2]);
#ifdef FIXED
  pthread_create (&threads[2], NULL, work, NULL);
#else
  pthread_create (&threads[2], NULL, work, &threads[0]);
#endif
  for (int i = 0; i < 3; i++)
    sem_post (&all_there);
  pthread_exit (NULL);
}
