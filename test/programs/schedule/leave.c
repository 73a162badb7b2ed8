/* Detached threads, waiting threads, and a program that ends all the same;
   cancellation of threads that wait. repeats. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int cleaned;
static void
unlock (void *unused)
{
  cleaned++;
  pthread_mutex_unlock (&lock);
}
static void *
wait_condition (void *unused)
{
  pthread_mutex_lock (&lock);
  pthread_cleanup_push (unlock, NULL);
  for (;;)
    pthread_cond_wait (&never, &lock);
  pthread_cleanup_pop (1);
  return NULL;
}
static void *
wait_semaphore (void *unused)
{
  sem_wait (&sem);
  return NULL;
}
static void *
wait_time (void *unused)
{
  sleep (1000);
  return NULL;
}
static void *
end (void *unused)
{
  return NULL;
}
int
main (void)
{
  void *(*bodies[]) (void *) = { wait_condition, wait_semaphore, wait_time };
  pthread_t threads[3], other;
  int cancelled = 0;
  sem_init (&sem, 0, 0);
  for (int i = 0; i < 20; i++) {
    pthread_create (&other, NULL, end, NULL);
    pthread_detach (other);
  }
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, bodies[i], NULL);
  usleep (20000);
  for (int i = 0; i < 3; i++) {
    void *result;
    pthread_cancel (threads[i]);
    pthread_join (threads[i], &result);
    cancelled += result == PTHREAD_CANCELED;
  }
  printf ("%d %d\n", cancelled, cleaned); /* wanted: 3 1 */
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, bodies[i], NULL);
  usleep (20000);
  return 0;
}
