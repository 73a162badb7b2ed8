/* a pipe orders, read and written through streams; what somebody else buffered
   and flushed, too
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *in, *out;
static volatile int x, y;

static void *
sender (void *arg)
{
  x = 7;
  fputs ("line\n", out);
  fflush (out);
  y = 8;
  fprintf (out, "%d", 5);
  fputc ('!', out);
  fclose (out);
  return arg;
}

static void *
receiver (void *arg)
{
  char text[16];
  int number;
  if (!fgets (text, sizeof text, in) || x != 7)
    abort ();
  x = 1;
  if (fscanf (in, "%d", &number) != 1 || getc (in) != '!' || y != 8)
    abort ();
  y = 1;
  return arg;
}

int
main (void)
{
  int ends[2];
  if (pipe (ends))
    return 1;
  in = fdopen (ends[0], "r");
  out = fdopen (ends[1], "w");
  run_two (sender, receiver);
  return 0;
}
