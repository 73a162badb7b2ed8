/* Atomics of 16 bytes, which a call brackets in halves. Needs -mcx16. */
#include "listen.h"

#include <stdio.h>

typedef unsigned __int128 wide;
static _Atomic wide w;

static int
exchange (wide old, wide value)
{
  return __c11_atomic_compare_exchange_strong (&w, &old, value, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); //= cas16 w 3,1:7,2 1 sc; cas16 w 7,2:7,2 0 sc
}

int
main (void)
{
  const wide high = (wide)1 << 64;
  NAME (w);
  LISTEN (ACCESSES);
  __c11_atomic_store (&w, high + 1, __ATOMIC_RELEASE); //= aw16 w 0,0:1,1 1 rel
  wide x = __c11_atomic_load (&w, __ATOMIC_ACQUIRE); //= ar16 w 1,1:0,0 1 acq
  x += __c11_atomic_fetch_add (&w, 2, __ATOMIC_SEQ_CST); //= rmw16 w 1,1:3,1 1 sc
  int done = exchange (high + 3, 2 * high + 7);
  done += exchange (high + 3, 2 * high + 7);
  LISTEN (NOTHING);
  printf ("%d %d\n", (int)x, done);
  return 0;
}
