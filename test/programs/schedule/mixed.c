/* Barriers, semaphores, reader-writer locks, spin locks, once. repeats. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static pthread_barrier_t barrier;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static int shared, rounds, inits;
static void
init (void)
{
  inits++;
}
static void *
work (void *arg)
{
  for (int i = 0; i < 10; i++) {
    pthread_once (&once, init);
    sem_wait (&sem);
    pthread_rwlock_wrlock (&rw);
    shared++;
    pthread_rwlock_unlock (&rw);
    sem_post (&sem);
    pthread_rwlock_rdlock (&rw);
    int seen = shared;
    pthread_rwlock_unlock (&rw);
    pthread_spin_lock (&spin);
    rounds += seen > 0;
    pthread_spin_unlock (&spin);
    pthread_barrier_wait (&barrier);
  }
  return NULL;
}
int
main (void)
{
  pthread_t threads[4];
  pthread_barrier_init (&barrier, NULL, 4);
  pthread_spin_init (&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init (&sem, 0, 2);
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  printf ("%d %d %d\n", shared, rounds, inits); /* wanted: 40 40 1 */
  return 0;
}
