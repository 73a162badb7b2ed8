/* libc writes for us
   omen: race */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[64];

static void *
first (void *arg)
{
  strcpy (text, "first");
  return arg;
}

static void *
second (void *arg)
{
  strcpy (text, "second");
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
