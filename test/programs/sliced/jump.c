/* longjmp takes the thread past the write.
   sliced: none */
#include "two.h"
#include <setjmp.h>
int ready, x;
static _Thread_local jmp_buf back;

static void
first (void)
{
  x = 1;
  LOCKED (ready = 1);
}

static APART void
leave (int unless)
{
  if (!unless)
    longjmp (back, 1);
}

static void
second (void)
{
  int seen;
  if (setjmp (back))
    return;
  LOCKED (seen = ready);
  leave (seen);
  x = 2;
}
