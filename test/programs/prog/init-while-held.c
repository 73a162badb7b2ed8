/* A lock is initialised again while a thread holds it, which then releases it: it
   is not held when the thread ends. omen: none */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t taken, made;

static void *
work (void *arg)
{
  pthread_mutex_lock (&m);
  sem_post (&taken);
  sem_wait (&made);
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  sem_init (&taken, 0, 0);
  sem_init (&made, 0, 0);
  pthread_create (&thread, NULL, work, NULL);
  sem_wait (&taken);
  pthread_mutex_init (&m, NULL);
  sem_post (&made);
  pthread_join (thread, NULL);
  return 0;
}
