/* waits: condition condition condition thread
   Each waits for the fork to the right with the one to the left, some time: not all at
   the same time when it was recorded. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEATS = 3, TICK = 40000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t put[SEATS];
static int taken[SEATS];

static void
take (int fork)
{
  pthread_mutex_lock (&lock);
  while (taken[fork])
    pthread_cond_wait (&put[fork], &lock);
  taken[fork] = 1;
  pthread_mutex_unlock (&lock);
}

static void
put_back (int fork)
{
  pthread_mutex_lock (&lock);
  taken[fork] = 0;
  pthread_cond_broadcast (&put[fork]);
  pthread_mutex_unlock (&lock);
}

static void
eat (int seat, int ticks)
{
  int first = seat, second = (seat + 1) % SEATS;
#ifdef FIXED
  if (first > second) {
    first = second;
    second = seat;
  }
#endif
  take (first);
  take (second);
  usleep (ticks * TICK);
  put_back (second);
  put_back (first);
}

/* One after the other they eat for long, and the neighbour comes meanwhile. */
static void *
dine (void *arg)
{
  static const int starts[SEATS][2] = { { 1, 10 }, { 0, 6 }, { 5, 11 } };
  static const int ends[SEATS] = { 4, 2, 7 }; /* of the first time */
  int seat = (int)(long)arg;
  usleep (starts[seat][0] * TICK);
  eat (seat, 2);
  usleep ((starts[seat][1] - ends[seat]) * TICK);
  eat (seat, 2);
  return NULL;
}

int
main (void)
{
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; i++)
    pthread_cond_init (&put[i], NULL);
  for (long i = 0; i < SEATS; i++)
    pthread_create (&threads[i], NULL, dine, (void *)i);
  for (int i = 0; i < SEATS; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
