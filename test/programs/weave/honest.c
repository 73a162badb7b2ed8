/* The optimiser must not invent loads: only what the source reads is read. */
#include "listen.h"

#include <stdio.h>

static int a = 1, b = 2, count, parts[16] = { 5, 6, 7, 8 };
static int flags[16];

__attribute__ ((noinline)) static int
choose (int c)
{
  return c ? a : b; //= load4 a 1
}

__attribute__ ((noinline)) static int
choose_pointer (int c)
{
  return *(c ? &a : &parts[1]); //= load4 parts+4 6
}

__attribute__ ((noinline)) static int
perhaps (int c)
{
  int x = 0;
  if (c)
    x = a;
  return x;
}

__attribute__ ((noinline)) static void
count_some (int n)
{
  for (int i = 0; i < n; i++)
    if (flags[i])
      count += i;
}

__attribute__ ((noinline)) static int
sum_some (void)
{
  int sum = 0;
  for (int i = 0; i < 16; i++)
    if (flags[i])
      sum += parts[i];
  return sum;
}

__attribute__ ((noinline)) static int
both (void)
{
  return count && a; //= load4 count 0
}

int
main (void)
{
  int sum = 0;
  NAME (a);
  NAME (b);
  NAME (count);
  NAME (parts);
  LISTEN (ACCESSES);
  sum += choose (1);
  sum += choose_pointer (0);
  sum += perhaps (0);
  count_some (16);
  sum += sum_some ();
  sum += both ();
  LISTEN (NOTHING);
  printf ("%d\n", sum);
  return 0;
}
