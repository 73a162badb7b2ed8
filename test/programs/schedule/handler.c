/* Signals to threads that wait, whose handler takes a lock. ends. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int handled;
static void
handler (int number)
{
  pthread_mutex_lock (&lock);
  handled++;
  pthread_mutex_unlock (&lock);
  sem_post (&done);
}
static void *
waits (void *unused)
{
  pthread_mutex_lock (&gate);
  pthread_mutex_unlock (&gate);
  return NULL;
}
int
main (void)
{
  pthread_t threads[3];
  sem_init (&done, 0, 0);
  signal (SIGUSR1, handler);
  pthread_mutex_lock (&gate);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, waits, NULL);
  usleep (10000);
  for (int i = 0; i < 9; i++) {
    pthread_kill (threads[i % 3], SIGUSR1);
    sem_wait (&done);
  }
  pthread_mutex_unlock (&gate);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  printf ("%d\n", handled); /* wanted: 9 */
  return 0;
}
