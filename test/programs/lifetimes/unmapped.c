/* lifetime: use-after-free
   A window of a file is unmapped by who wants another one. */
#include "two.h"

#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *window;
static int uses;

static void *
writes (void *arg)
{
  char *mine;
  pthread_mutex_lock (&lock);
  mine = window;
#ifdef FIXED
  if (mine)
    mine[3] = 1;
#endif
  pthread_mutex_unlock (&lock);
  pthread_mutex_lock (&lock);
#ifndef FIXED
  if (mine)
    mine[3] = 1;
#endif
  uses++;
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
moves (void *arg)
{
  later ();
  pthread_mutex_lock (&lock);
  munmap (window, 4096);
  window = NULL;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  window = mmap (NULL, 4096, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_two (writes, moves);
  return 0;
}
