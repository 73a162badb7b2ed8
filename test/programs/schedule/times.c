/* Timed waits that run out, in the order of their times, which are long enough for
   a busy machine to start all threads meanwhile. repeats. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static struct timespec
after (long ms)
{
  struct timespec t;
  clock_gettime (CLOCK_REALTIME, &t);
  t.tv_nsec += ms * 1000000;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}
static void *
on_condition (void *unused)
{
  struct timespec until = after (120);
  pthread_mutex_lock (&lock);
  while (pthread_cond_timedwait (&never, &lock, &until) != ETIMEDOUT)
    ;
  fputs ("condition ", stdout);
  pthread_mutex_unlock (&lock);
  return NULL;
}
static void *
on_semaphore (void *unused)
{
  struct timespec until = after (240);
  int result = sem_timedwait (&sem, &until);
  fputs (result && errno == ETIMEDOUT ? "semaphore " : "?", stdout);
  return NULL;
}
static void *
on_mutex (void *unused)
{
  struct timespec until = after (360);
  fputs (pthread_mutex_timedlock (&held, &until) == ETIMEDOUT ? "mutex\n" : "?",
         stdout);
  return NULL;
}
int
main (void)
{
  void *(*bodies[]) (void *) = { on_mutex, on_condition, on_semaphore };
  pthread_t threads[3];
  sem_init (&sem, 0, 0);
  pthread_mutex_lock (&held);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  return 0; /* wanted: condition semaphore mutex */
}
