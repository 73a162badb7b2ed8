/* as drain.c, with so many flags that they are set by a loop that is noted
   whole: of what it wrote no value is known
   omen: race (closed) */
#include "two.h"

#include <unistd.h>

enum { FLAGS = 400 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int closed[FLAGS];
static volatile int y;

static void *
closer (void *arg)
{
  usleep (50000);
  for (int i = 0; i < FLAGS; i++)
    closed[i] = i + 1;
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  y = 7;
  return arg;
}

static void *
user (void *arg)
{
  pthread_mutex_lock (&m);
  if (!closed[FLAGS / 2])
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
