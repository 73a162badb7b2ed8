/* Reading what a pointer points at: that comes to an end if there is none.
   sliced: none */
#include "two.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int one = 1, x;
int *where;

static void
end (int number)
{
  (void)number;
  _exit (0);
}

static void
first (void)
{
  x = 1;
  LOCKED (where = &one);
}

static void
second (void)
{
  volatile int seen;
  int *p;
  signal (SIGSEGV, end);
  LOCKED (p = where);
  seen = *p;
  (void)seen;
  x = 2;
}
