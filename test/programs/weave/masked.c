/* Vector accesses of which only some lanes happen. Needs -mavx2. */
#include "listen.h"

#include <stdio.h>

static int from[64], to[64], condition[64];

/* With AVX2 the optimiser makes these a masked load and store. */
__attribute__ ((noinline)) static void
copy_some (const int *restrict which, const int *restrict a, int *restrict b)
{
  for (int i = 0; i < 64; i++)
    if (which[i]) {
      int x = a[i]; //= load4 from+4 1; load4 from+12 3; load4 from+160 40; load4 from+252 63
      b[i] = x * 3; //= store4 to+4 3; store4 to+12 9; store4 to+160 120; store4 to+252 189
    }
}

int
main (void)
{
  NAME (from);
  NAME (to);
  for (int i = 0; i < 64; i++)
    from[i] = i;
  condition[1] = condition[3] = condition[40] = condition[63] = 1;
  LISTEN (ACCESSES);
  copy_some (condition, from, to);
  LISTEN (NOTHING);
  int sum = 0;
  for (int i = 0; i < 64; i++)
    sum += to[i] * i;
  printf ("%d\n", sum);
  return 0;
}
