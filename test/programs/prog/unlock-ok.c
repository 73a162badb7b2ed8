/* A mutex that refuses to be unlocked by who has not locked it: the call is
   misuse while another thread has it, but nothing races.
   omen: none, perhaps misuse */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "two.h"

static pthread_mutex_t n = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int y;

static void *
unlock (void *arg)
{
  return pthread_mutex_unlock (&n) == EPERM ? NULL : arg;
}

static void *
add (void *arg)
{
  pthread_mutex_lock (&n);
  y++;
  pthread_mutex_unlock (&n);
  return unlock (arg);
}

int
main (void)
{
  run_two (add, add);
  run_two (add, add);
  return 0;
}
