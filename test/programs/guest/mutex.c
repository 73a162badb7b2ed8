/* One mutex and three threads that take it in every way there is. The output is the
   same in every run.

     mutex tries | again | conditions | misuse */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 3, ROUNDS = 2000, LIVES = 60 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static long count, turn;

static void
in_parallel (void *(*work) (void *))
{
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

/* Each way of taking it; those that fail are tried again. */
static void
take (int way)
{
  struct timespec soon;
  for (;;)
    switch (way % 3) {
    case 0:
      pthread_mutex_lock (&lock);
      return;
    case 1:
      if (!pthread_mutex_trylock (&lock))
        return;
      break;
    default:
      clock_gettime (CLOCK_REALTIME, &soon);
      if (!pthread_mutex_timedlock (&lock, &soon))
        return;
    }
}

static void *
tries (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    take (i);
    count++;
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

/* The mutex is destroyed and made anew, now and then as another kind. */
static void
renew (int life)
{
  pthread_mutexattr_t how;
  pthread_mutex_destroy (&lock);
  pthread_mutexattr_init (&how);
  pthread_mutexattr_settype (&how, life % 3 ? PTHREAD_MUTEX_NORMAL
                                            : PTHREAD_MUTEX_RECURSIVE);
  if (life % 5)
    pthread_mutex_init (&lock, &how);
  else
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_mutexattr_destroy (&how);
}

static void *
again (void *arg)
{
  for (int life = 0; life < LIVES; life++) {
    for (int i = 0; i < 20; i++) {
      pthread_mutex_lock (&lock);
      count++;
      pthread_mutex_unlock (&lock);
    }
    pthread_barrier_wait (&barrier);
    if (!arg)
      renew (life);
    pthread_barrier_wait (&barrier);
  }
  return arg;
}

static void *
conditions (void *arg)
{
  for (int i = 0; i < ROUNDS / 10; i++) {
    pthread_mutex_lock (&lock);
    while (turn % THREADS != (long)arg)
      pthread_cond_wait (&condition, &lock);
    turn++;
    count += turn;
    pthread_cond_broadcast (&condition);
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

/* Who has it or not, nobody asks. */
static void *
misuse (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    if (arg)
      pthread_mutex_trylock (&lock);
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

int
main (int argc, char **argv)
{
  const char *what = argc == 2 ? argv[1] : "";
  pthread_barrier_init (&barrier, NULL, THREADS);
  if (!strcmp (what, "tries"))
    in_parallel (tries);
  else if (!strcmp (what, "again"))
    in_parallel (again);
  else if (!strcmp (what, "conditions"))
    in_parallel (conditions);
  else if (!strcmp (what, "misuse"))
    in_parallel (misuse);
  else
    return 2;
  printf ("%s: %ld\n", what, count);
  return 0;
}
