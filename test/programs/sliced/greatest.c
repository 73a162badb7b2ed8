/* A branch that only chooses between values.
   sliced: race */
#include "two.h"
#include <stdio.h>
int from, x;

static void
first (void)
{
  x = 1;
  LOCKED (from = 7);
}

static void
second (void)
{
  int value, greatest = 3;
  LOCKED (value = from);
  if (value > greatest)
    greatest = value;
  printf ("%d\n", greatest);
  x = 2;
}
