/* Variables under one, two, three locks, taken in and out of each other in ever
   other ways, and one that is forgotten.

   mixedlocks ROUNDS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t two = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t three = PTHREAD_MUTEX_INITIALIZER;
static int a, b, c, forgotten;
static int rounds;

static void
nested (int i)
{
  pthread_mutex_lock (&one);
  a = i;
  pthread_mutex_lock (&two);
  b = i;
  pthread_mutex_lock (&three);
  c = i;
  pthread_mutex_unlock (&three);
  b = i;
  pthread_mutex_unlock (&two);
  a = i;
  pthread_mutex_unlock (&one);
}

static void
chained (int i)
{
  pthread_mutex_lock (&one);
  a = i;
  pthread_mutex_lock (&two);
  pthread_mutex_unlock (&one);
  b = i;
  pthread_mutex_lock (&three);
  pthread_mutex_unlock (&two);
  c = i;
  pthread_mutex_unlock (&three);
}

/* A lock, but not the same for all. */
static void
forget (pthread_mutex_t *lock, int i)
{
  pthread_mutex_lock (lock);
  forgotten = i;
  pthread_mutex_unlock (lock);
}

static void *
mix (void *arg)
{
  long self = (long)arg;
  for (int i = 0; i < rounds; i++) {
    if ((i + self) % 2)
      nested (i);
    else
      chained (i);
    if (i % 10 == 5)
      forget (self ? &two : &three, i);
  }
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  rounds = argc > 1 ? atoi (argv[1]) : 10;
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, mix, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%d %d %d %d\n", a, b, c, forgotten);
  return 0;
}
