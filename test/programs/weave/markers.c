/* Function markers: calls, inlining, recursion, setjmp, variable arguments,
   tail calls; and which functions have none. */
#include "listen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf home;
static int cell, other;

static int
one_event (void)
{
  return cell; //= load4 cell 1
}

static int
two_events (void) //= enter two_events
{
  int a = cell; //= load4 cell 1
  WALL ();
  return a + other; //= load4 other 2; exit two_events
}

static inline __attribute__ ((always_inline)) int
inlined (int n) //= enter inlined
{
  cell = n; //= store4 cell 1
  WALL ();
  other = n + 1; //= store4 other 2
  WALL ();
  return n; //= exit inlined
}

__attribute__ ((noinline)) static int
outer (int n) //= enter outer
{
  return inlined (n) + one_event () + two_events (); //= exit outer
}

__attribute__ ((noinline)) static int
down (int n) //= enter down; enter down; enter down
{
  cell = n; //= store4 cell 2; store4 cell 1; store4 cell 0
  int result = n ? down (n - 1) + 1 : 0;
  WALL ();
  cell = n; //= store4 cell 0; store4 cell 1; store4 cell 2
  return result; //= exit down; exit down; exit down
}

__attribute__ ((noinline)) static void
jump (int n) //= enter jump; enter jump
{
  if (n == 0)
    longjmp (home, 1);
  jump (n - 1);
  cell = 5;
}

__attribute__ ((noinline)) static int
lands (void) //= enter lands
{
  if (setjmp (home) == 0) //= exit jump; exit jump
    jump (1);
  cell = 7; //= store4 cell 7
  return 1; //= exit lands
}

__attribute__ ((noinline)) static int
sum (int n, ...) //= enter sum
{
  va_list args;
  int result = 0;
  va_start (args, n);
  while (n--)
    result += va_arg (args, int);
  va_end (args);
  cell = result; //= store4 cell 6
  WALL ();
  cell = 0; //= store4 cell 0
  return result; //= exit sum
}

__attribute__ ((noinline)) static int
target (int n) //= enter target
{
  cell = n; //= store4 cell 2
  WALL ();
  cell = 0; //= store4 cell 0
  return n; //= exit target
}

/* The exit comes before a call that has to be the last act. */
__attribute__ ((noinline)) static int
last_call (int n) //= enter last_call
{
  cell = n; //= store4 cell 2
  WALL ();
  cell = 1; //= store4 cell 1
  __attribute__ ((musttail)) return target (n); //= exit last_call
}

__attribute__ ((noinline, disable_sanitizer_instrumentation)) static int
unseen (int n)
{
  return cell = n;
}

__attribute__ ((noinline, no_sanitize ("thread"))) static int
half_seen (int n) //= enter half_seen
{
  cell = n;
  WALL ();
  other = n;
  return n + abs (n); //= exit half_seen
}

/* Two returns, and a branch between. */
__attribute__ ((noinline)) static int
two_ways (int n) //= enter two_ways; enter two_ways
{
  if (n > 0) {
    cell = n; //= store4 cell 1
    WALL ();
    cell = 0; //= store4 cell 0
    WALL ();
    return n + abs (other); //= load4 other 3
  }
  return abs (cell); //= load4 cell 0
} //= exit two_ways; exit two_ways

int
main (void)
{
  int all = 0;
  NAME (cell);
  NAME (other);
  LISTEN (ACCESSES | MARKERS);
  all += outer (1);
  all += down (2);
  all += lands ();
  all += sum (3, 1, 2, 3);
  all += unseen (1);
  all += half_seen (3);
  all += two_ways (1);
  all += two_ways (-1);
  all += last_call (2);
  LISTEN (NOTHING);
  printf ("%d %d %d\n", all, cell, other);
  return 0;
}
