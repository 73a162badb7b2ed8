/* as drain.c, with so many flags that the record has only sums of what is read:
   all but the first and the last, which nobody writes
   omen: race (closed) */
#include "two.h"

#include <unistd.h>

enum { FLAGS = 64, ROUNDS = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int closed[FLAGS];
static volatile int y;

static void *
closer (void *arg)
{
  usleep (50000);
  for (int round = 1; round <= ROUNDS; round++) {
    for (int i = 1; i < FLAGS - 1; i++)
      closed[i] = round;
    __asm__ volatile ("" ::: "memory");
  }
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  y = 7;
  return arg;
}

static void *
user (void *arg)
{
  int n = 0;
  pthread_mutex_lock (&m);
  for (int i = 0; i < FLAGS; i++)
    n += closed[i];
  if (!n)
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
