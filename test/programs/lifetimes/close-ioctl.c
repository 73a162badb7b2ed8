/* lifetime: use-after-free
   Close against ioctl: the state of an open file is freed by the one while the other
   works on it, having looked whether the file is open. */
#include "two.h"

typedef struct state {
  int opened;
  char *buffer;
} state;

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static state file;

static void *
control (void *arg)
{
  int opened;
  pthread_mutex_lock (&big);
  opened = file.opened;
#ifdef FIXED
  if (opened)
    file.buffer[0]++;
#endif
  pthread_mutex_unlock (&big);
#ifndef FIXED
  if (opened) {
    pthread_mutex_lock (&big);
    file.buffer[0]++;
    pthread_mutex_unlock (&big);
  }
#endif
  return arg;
}

static void *
closes (void *arg)
{
  later ();
  pthread_mutex_lock (&big);
  file.opened = 0;
  free (file.buffer);
  pthread_mutex_unlock (&big);
  return arg;
}

int
main (void)
{
  file.buffer = calloc (1, 16);
  file.opened = 1;
  run_two (control, closes);
  return 0;
}
