/* Not woven: it writes what it gets the address of, or can name. */
#include <pthread.h>

__attribute__ ((weak)) extern int permit;
__attribute__ ((weak)) extern int *permit_pointer;
static volatile int *kept;
static volatile int stop;
static pthread_t thread;

void
library_give (int *where)
{
  *where = 1;
}

void
library_keep (int *where)
{
  kept = where;
}

void
library_give_kept (void)
{
  *kept = 1;
}

void
library_give_named (void)
{
  if (&permit)
    permit = 1;
}

void
library_give_pointed (void)
{
  if (&permit_pointer)
    *permit_pointer = 1;
}

void
library_call (int *where, void (*callback) (void))
{
  *where = 1;
  callback ();
  *where = 0;
}

static void *
give_for_ever (void *unused)
{
  while (!stop)
    *kept = 1;
  return unused;
}

void
library_start (int *where)
{
  kept = where;
  pthread_create (&thread, 0, give_for_ever, 0);
}

void
library_stop (void)
{
  stop = 1;
  pthread_join (thread, 0);
}
