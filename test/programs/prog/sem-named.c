/* a semaphore with a name
   omen: none */
#include "two.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t *sem;

static void __attribute__ ((constructor))
init (void)
{
  char name[64];
  snprintf (name, sizeof name, "/prog-%d", (int)getpid ());
  sem = sem_open (name, O_CREAT | O_EXCL, 0600, 0);
  sem_unlink (name);
  if (sem == SEM_FAILED)
    abort ();
}
static volatile int x;

static void *
first (void *arg)
{
  x = 1;
  sem_post (sem);
  return arg;
}

static void *
second (void *arg)
{
  sem_wait (sem);
  x = 2;
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
