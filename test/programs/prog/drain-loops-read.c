/* as drain.c, with so many flags that they are read by a loop that is noted
   whole: of what it read no value is known
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
  closed[FLAGS / 3] = 1;
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  y = 7;
  return arg;
}

static void *
user (void *arg)
{
  int any = 0;
  pthread_mutex_lock (&m);
  for (int i = 0; i < FLAGS; i++)
    any |= closed[i];
  if (!any)
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
