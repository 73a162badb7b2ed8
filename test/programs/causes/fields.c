/* One mistake: a struct is written as a whole by one function and read by
   another, and nobody takes the lock. Its fields are instances. */
#include <pthread.h>
#include <stdlib.h>

struct state {
  int mode, level, speed;
  long begin, end;
};
static struct state *state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long used;

static void
change (struct state *s, int by)
{
  s->mode = by;
  s->level = by + 1;
  s->speed = by + 2;
  s->begin = by;
  s->end = by + 9;
}

static long
look (const struct state *s)
{
  return s->mode + s->level + s->speed + s->end - s->begin;
}

static void *
run (void *arg)
{
  change (state, 3);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  state = malloc (sizeof *state);
  change (state, 1);
  pthread_create (&thread, NULL, run, NULL);
  pthread_mutex_lock (&lock); /* of something else */
  used = look (state);
  pthread_mutex_unlock (&lock);
  pthread_join (thread, NULL);
  free (state);
  return used < 0;
}
