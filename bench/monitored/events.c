/* Two kinds of events, one after the other: events N. Prints processor
   seconds of the loop. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned sum;

static __attribute__ ((noinline)) void
ping (void)
{
  sum += 1;
}

static __attribute__ ((noinline)) void
pong (void)
{
  sum += 2;
}

int
main (int argc, char **argv)
{
  long count = argc > 1 ? atol (argv[1]) : 1000000;
  clock_t before = clock ();
  for (long i = 0; i < count / 2; i++) {
    ping ();
    pong ();
  }
  printf ("%f\n", (double)(clock () - before) / CLOCKS_PER_SEC);
  return 0;
}
