/* Threads that have nothing to do with each other, in many slices, and race at
   the end; then a lock that is destroyed while it is held. With an argument they
   take turns, and the slices are needed. */
#include <pthread.h>

#define THREADS 3
#define ROUNDS 60

static pthread_mutex_t own[THREADS], turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t last = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static int sums[THREADS], turn, in_turns, ended;

static void
wait_for_turn (int me)
{
  pthread_mutex_lock (&turn_lock);
  while (turn % THREADS != me)
    pthread_cond_wait (&turn_changed, &turn_lock);
  turn++;
  pthread_cond_broadcast (&turn_changed);
  pthread_mutex_unlock (&turn_lock);
}

static void *
work (void *arg)
{
  int me = (int)(long)arg;
  for (int i = 0; i < ROUNDS; i++) {
    if (in_turns)
      wait_for_turn (me);
    pthread_mutex_lock (&own[me]);
    sums[me] += i;
    pthread_mutex_unlock (&own[me]);
  }
  ended++;
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  (void)argv;
  in_turns = argc > 1;
  for (long i = 0; i < THREADS; i++) {
    pthread_mutex_init (&own[i], NULL);
    pthread_create (&threads[i], NULL, work, (void *)i);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  pthread_mutex_lock (&last);
  pthread_mutex_destroy (&last);
  return 0;
}
