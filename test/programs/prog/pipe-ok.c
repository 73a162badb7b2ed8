/* a pipe orders
   omen: none */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];
static volatile int x;

static void *
sender (void *arg)
{
  x = 7;
  if (write (ends[1], "!", 1) != 1)
    abort ();
  return arg;
}

static void *
receiver (void *arg)
{
  char sign;
  if (read (ends[0], &sign, 1) != 1 || x != 7)
    abort ();
  return arg;
}

int
main (void)
{
  if (pipe (ends))
    return 1;
  run_two (sender, receiver);
  return 0;
}
