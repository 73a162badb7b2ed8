/* A condition and a semaphore are initialised when others may use them already.
   omen: race (broken posted) */
#include <pthread.h>
#include <semaphore.h>

static pthread_cond_t broken;
static sem_t posted;

static void *
work (void *arg)
{
  pthread_cond_broadcast (&broken);
  sem_post (&posted);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, work, NULL);
  pthread_cond_init (&broken, NULL);
  sem_init (&posted, 0, 0);
  pthread_join (thread, NULL);
  return 0;
}
