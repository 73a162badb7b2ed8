/* Plain loads and stores of every scalar type: size, value, sign. */
#include "listen.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static char c = -1;
static signed char sc = -128;
static unsigned char uc = 200;
static short s = -2;
static unsigned short us = 65535;
static int i = -3;
static unsigned u = 7;
static long l = -4;
static unsigned long long ull = 1ull << 63;
static bool b = true;
static float f = 1.5f;
static double d = -2.0;
static int *p = &i;
static enum { RED, GREEN } e = GREEN;
static volatile int v = 9;
static const int constant = 11;
static int sum;

static void
reads (void)
{
  sum += c; //= load1 c 255
  WALL ();
  sum += sc; //= load1 sc 128
  WALL ();
  sum += uc; //= load1 uc 200
  WALL ();
  sum += s; //= load2 s 65534
  WALL ();
  sum += us; //= load2 us 65535
  WALL ();
  sum += i; //= load4 i 4294967293
  WALL ();
  sum += (int)u; //= load4 u 7
  WALL ();
  sum += (int)l; //= load8 l 18446744073709551612
  WALL ();
  sum += (int)(ull >> 60); //= load8 ull 9223372036854775808
  WALL ();
  sum += b; //= load1 b 1
  WALL ();
  sum += (int)f; //= load4 f 1069547520
  WALL ();
  sum += (int)d; //= load8 d 13835058055282163712
  WALL ();
  sum += *p; //= load8 p &i; load4 i 4294967293
  WALL ();
  sum += e; //= load4 e 1
  WALL ();
  sum += v + v; //= load4 v 9; load4 v 9
  WALL ();
  sum += constant;
}

static void
writes (int n)
{
  c = (char)n; //= store1 c 251
  WALL ();
  sc = (signed char)n; //= store1 sc 251
  WALL ();
  uc = (unsigned char)n; //= store1 uc 251
  WALL ();
  s = (short)n; //= store2 s 65531
  WALL ();
  us = (unsigned short)n; //= store2 us 65531
  WALL ();
  i = n; //= store4 i 4294967291
  WALL ();
  u = (unsigned)n; //= store4 u 4294967291
  WALL ();
  l = n; //= store8 l 18446744073709551611
  WALL ();
  ull = (unsigned long long)n; //= store8 ull 18446744073709551611
  WALL ();
  b = n == 5; //= store1 b 0
  WALL ();
  f = (float)n; //= store4 f 3231711232
  WALL ();
  d = n; //= store8 d 13840687554816376832
  WALL ();
  p = NULL; //= store8 p 0
  WALL ();
  p = (int *)&u; //= store8 p &u
  WALL ();
  e = RED; //= store4 e 0
  WALL ();
  v = 1; //= store4 v 1
  v++; //= load4 v 1; store4 v 2
  WALL ();
}

int
main (void)
{
  NAME (c);
  NAME (sc);
  NAME (uc);
  NAME (s);
  NAME (us);
  NAME (i);
  NAME (u);
  NAME (l);
  NAME (ull);
  NAME (b);
  NAME (f);
  NAME (d);
  NAME (p);
  NAME (e);
  NAME (v);
  NAME (constant);
  LISTEN (ACCESSES);
  reads ();
  writes (-5);
  LISTEN (NOTHING);
  printf ("%d %d %d %d %u %d %d %u %ld %llx %d %g %g %d %d %d\n", sum, c, sc,
          uc, us, s, i, u, l, ull, b, (double)f, d, *p, e, v);
  return 0;
}
