/* a thread-local variable is used by its thread and, through a pointer, by
   another one
   omen: race */
#include <pthread.h>
#include <semaphore.h>

static _Thread_local volatile int mine;
static volatile int *its;
static sem_t there, done;

static void *
owner (void *arg)
{
  its = &mine;
  sem_post (&there);
  mine++;
  sem_wait (&done);
  return arg;
}

int
main (void)
{
  pthread_t a;
  sem_init (&there, 0, 0);
  sem_init (&done, 0, 0);
  pthread_create (&a, NULL, owner, NULL);
  sem_wait (&there);
  *its = 7;
  sem_post (&done);
  pthread_join (a, NULL);
  return 0;
}
