/* lifetime: use-after-close
   A descriptor is closed under the other thread's read: its number may be another
   file's by then. */
#include "two.h"

#include <fcntl.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;

static void *
reads (void *arg)
{
  char byte;
  int mine;
  pthread_mutex_lock (&lock);
  mine = file;
#ifdef FIXED
  if (mine >= 0)
    (void)!read (mine, &byte, 1);
#endif
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  if (mine >= 0)
    (void)!read (mine, &byte, 1);
#endif
  return arg;
}

static void *
closes (void *arg)
{
  int mine;
  later ();
  pthread_mutex_lock (&lock);
  mine = file;
  file = -1;
  pthread_mutex_unlock (&lock);
  close (mine);
  return arg;
}

int
main (void)
{
  file = open ("/dev/zero", O_RDONLY);
  run_two (reads, closes);
  return 0;
}
