/* One function that is not atomic, by several pairs of variables. With an
   argument, only the first run, which finds no file of that name, touches `a`,
   after the others. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b, c, skip;

static void
set (int *x, int value)
{
  pthread_mutex_lock (&lock);
  *x = value;
  pthread_mutex_unlock (&lock);
}

static int
get (int *x)
{
  pthread_mutex_lock (&lock);
  int value = *x;
  pthread_mutex_unlock (&lock);
  return value;
}

static void
move (int by)
{
  int seen = get (&a);
  set (&b, seen + by);
  set (&c, by);
  set (&a, seen + by);
}

static void
move_once (int by)
{
  set (&b, by);
  set (&c, by);
  if (skip)
    return;
  int seen = get (&a);
  set (&a, seen + by);
}

static void (*chosen) (int) = move;

static void *
other (void *arg)
{
  chosen (2);
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  if (argc > 1) {
    int file = open (argv[1], O_CREAT | O_EXCL | O_WRONLY, 0666);
    skip = file < 0;
    chosen = move_once;
  }
  pthread_create (&thread, NULL, other, NULL);
  chosen (1);
  pthread_join (thread, NULL);
  return 0;
}
