/* Dividing by what was read ends the program if that is 0.
   sliced: none */
#include "two.h"
#include <signal.h>
#include <unistd.h>
int ready, result, x;

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
  LOCKED (ready = 1);
}

static void
second (void)
{
  volatile int quotient;
  int seen;
  signal (SIGFPE, end);
  LOCKED (seen = ready);
  quotient = 100 / seen;
  (void)quotient;
  x = 2;
}
