/* Two locks in two orders, and a handshake that makes sure of it. hangs. */
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static sem_t has_a, has_b;
static void *
second (void *unused)
{
  pthread_mutex_lock (&b);
  sem_post (&has_b);
  sem_wait (&has_a);
  pthread_mutex_lock (&a);
  return NULL;
}
int
main (void)
{
  pthread_t thread;
  sem_init (&has_a, 0, 0);
  sem_init (&has_b, 0, 0);
  pthread_create (&thread, NULL, second, NULL);
  pthread_mutex_lock (&a);
  sem_post (&has_a);
  sem_wait (&has_b);
  pthread_mutex_lock (&b);
  pthread_join (thread, NULL);
  return 0;
}
