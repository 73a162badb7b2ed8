/* every way into the library and out of it */
#include <setjmp.h>
#include <stdlib.h>

unsigned plain_count (void);
void plain_twice (void (*call) (void));
void plain_thread (void (*call) (void));
void plain_jump (jmp_buf to);

volatile int seen;

static void
called (void)
{
  seen++; /* a callback: out of the library, and in again */
}

static void
calls (void)
{
  plain_count ();
  seen++;
}

void
own (void)
{
  seen++;
}

int
main (void)
{
  unsigned (*volatile pointer) (void) = plain_count;
  void (*volatile home) (void) = own;
  jmp_buf here;
  plain_count ();
  pointer ();
  home ();
  own ();
  free (malloc (8));
  plain_twice (called);
  plain_twice (calls);
  plain_thread (called);
  if (!setjmp (here))
    plain_jump (here);
  own ();
  return seen != 8;
}
