/* a flag, then an empty critical section: who was inside has left, who comes
   later sees the flag, so the writes to y do not race
   omen: race (closed) */
#include "two.h"

#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int closed, y;

static void *
closer (void *arg)
{
  usleep (50000);
  closed = 1;
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  y = 7;
  return arg;
}

static void *
user (void *arg)
{
  pthread_mutex_lock (&m);
  if (!closed)
    y++;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  run_two (closer, user);
  return y != 7;
}
