/* the post comes too early
   omen: race */
#include "two.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t sem;

static void __attribute__ ((constructor))
init (void)
{
  sem_init (&sem, 0, 0);
}
static volatile int x;

static void *
first (void *arg)
{
  sem_post (&sem);
  x = 1;
  return arg;
}

static void *
second (void *arg)
{
  sem_wait (&sem);
  x = 2;
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
