/* waits: semaphore semaphore semaphore thread
   Each takes the fork to the left first. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEATS = 3 };
static sem_t forks[SEATS];

static void *
eat (void *arg)
{
  int seat = *(int *)arg, left = seat, right = (seat + 1) % SEATS;
#ifdef FIXED
  if (seat == SEATS - 1) {
    left = 0;
    right = seat;
  }
#endif
  usleep (100000 * (unsigned)seat);
  sem_wait (&forks[left]);
  sem_wait (&forks[right]);
  sem_post (&forks[right]);
  sem_post (&forks[left]);
  return arg;
}

int
main (void)
{
  static int seats[SEATS] = { 0, 1, 2 };
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; i++)
    sem_init (&forks[i], 0, 1);
  for (int i = 0; i < SEATS; i++)
    pthread_create (&threads[i], NULL, eat, &seats[i]);
  for (int i = 0; i < SEATS; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
