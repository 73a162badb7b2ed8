/* Lifts in a house: calls wait on floors, a lift takes one, goes there and to
   where its passenger wants. Every floor has a lock, and so has the list of
   calls; how far all lifts went is summed up without one.

   elevator [CALLS] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define FLOORS 12
#define LIFTS 3

typedef struct floor {
  pthread_mutex_t lock;
  int up, down; /* who waits here */
} storey;

static storey floors[FLOORS];
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;
static int calls, next_call;
static long distance;

static int
take_call (int *from, int *to)
{
  pthread_mutex_lock (&calls_lock);
  int number = next_call < calls ? next_call++ : -1;
  pthread_mutex_unlock (&calls_lock);
  *from = number * 7 % FLOORS;
  *to = (number * 5 + 3) % FLOORS;
  return number >= 0;
}

static void
let_in (storey *f, int up)
{
  pthread_mutex_lock (&f->lock);
  if (up)
    f->up++;
  else
    f->down++;
  pthread_mutex_unlock (&f->lock);
}

static int
travel (int from, int to)
{
  int step = from < to ? 1 : -1, gone = 0;
  for (int at = from; at != to; at += step, gone++) {
    pthread_mutex_lock (&floors[at].lock);
    gone += floors[at].up + floors[at].down < 0;
    pthread_mutex_unlock (&floors[at].lock);
  }
  return gone;
}

static void *
lift (void *arg)
{
  int at = 0, from, to;
  long gone = 0;
  while (take_call (&from, &to)) {
    gone += travel (at, from);
    let_in (&floors[from], from < to);
    gone += travel (from, to);
    at = to;
  }
  distance += gone;
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t lifts[LIFTS];
  calls = argc > 1 ? atoi (argv[1]) : 1000;
  for (int i = 0; i < FLOORS; i++)
    pthread_mutex_init (&floors[i].lock, NULL);
  for (int i = 0; i < LIFTS; i++)
    pthread_create (&lifts[i], NULL, lift, NULL);
  for (int i = 0; i < LIFTS; i++)
    pthread_join (lifts[i], NULL);
  printf ("%d calls, %ld floors\n", next_call, distance);
  return 0;
}
