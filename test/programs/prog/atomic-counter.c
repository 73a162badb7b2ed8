/* a counter needs no lock
   omen: none */
#include "two.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int count;

static void *
first (void *arg)
{
  for (int i = 0; i < 10; i++)
    atomic_fetch_add (&count, 1);
  return arg;
}

static void *
second (void *arg)
{
  for (int i = 0; i < 10; i++)
    atomic_fetch_add (&count, 1);
  return arg;
}

int
main (void)
{
  run_two (first, second);
  return 0;
}
