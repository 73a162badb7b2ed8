/* hang: condition thread
   A pool is shut down while a worker is on its way to sleep. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t looked, told;
static int over;

static int
is_over (void)
{
  pthread_mutex_lock (&lock);
  int answer = over;
  pthread_mutex_unlock (&lock);
  return answer;
}

static void *
work (void *arg)
{
  if (!is_over ()) {
    sem_post (&looked);
    sem_wait (&told);
    pthread_mutex_lock (&lock);
#ifdef FIXED
    while (!over)
#endif
      pthread_cond_wait (&changed, &lock);
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

int
main (void)
{
  pthread_t thread;
  sem_init (&looked, 0, 0);
  sem_init (&told, 0, 0);
  pthread_create (&thread, NULL, work, NULL);
  sem_wait (&looked);
  pthread_mutex_lock (&lock);
  over = 1;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  sem_post (&told);
  pthread_join (thread, NULL);
  return 0;
}
