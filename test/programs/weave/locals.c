/* Locals: those that nobody else can reach are silent, the lives of the others
   are told. */
#include "listen.h"

#include <stdio.h>
#include <stdlib.h>

struct point {
  int x, y;
};
static int *kept;
static int sink;

__attribute__ ((noinline)) static void
keep (int *p)
{
  kept = p;
  sink += *p;
}

__attribute__ ((noinline)) static int
silent (int n)
{
  int a[8], *p = a, sum = 0; //=-O0 alloc a 32
  struct point here = { n, 2 }, there = here;
  for (int i = 0; i < 8; i++)
    a[i] = i * n;
  for (; p < a + 8; p++)
    sum += *p;
  volatile int loud = n;
  sum += loud + there.x + here.y;
  p = n > 3 ? a : a + 1;
  return sum + *p;
}

__attribute__ ((noinline)) static int
escapes (int n)
{
  int x = n; //= alloc x 4
  keep (&x);
  return x;
} //=-O1 free x 4 //=-O2 free x 4 //=-O3 free x 4

/* One variable, three lives. */
__attribute__ ((noinline)) static void
again (void)
{
  for (int i = 0; i < 3; i++) {
    int x = i; //=-O0 alloc x 4 //=-O1 alloc x 4; alloc x 4; alloc x 4 //=-O2 alloc x 4; alloc x 4; alloc x 4 //=-O3 alloc x 4; alloc x 4; alloc x 4
    keep (&x);
  } //=-O1 free x 4; free x 4; free x 4 //=-O2 free x 4; free x 4; free x 4 //=-O3 free x 4; free x 4; free x 4
}

__attribute__ ((noinline)) static void
dynamic (int n)
{
  int x[n]; //= alloc x 20
  x[n - 1] = n;
  keep (x + n - 1);
}

int
main (void)
{
  LISTEN (LIVES);
  sink += silent (4);
  sink += escapes (5);
  again ();
  dynamic (5);
  LISTEN (NOTHING);
  printf ("%d\n", sink);
  return 0;
}
