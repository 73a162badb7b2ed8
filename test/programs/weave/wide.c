/* Accesses of more than 8 bytes, struct copies, bit-fields, odd places. */
#include "listen.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct pair {
  int32_t a, b;
} pair;
typedef struct triple {
  int32_t a, b, c;
} triple;
typedef struct mix {
  char tag;
  int64_t n;
} mix;
typedef struct bits {
  unsigned one : 3, two : 5, three : 24;
} bits;
typedef struct __attribute__ ((packed)) packed {
  char pad;
  int32_t odd;
} packed;
typedef struct __attribute__ ((packed)) three {
  unsigned n : 24;
} three;
typedef struct __attribute__ ((packed)) seven {
  unsigned long n : 56;
} seven;
typedef float four __attribute__ ((vector_size (16)));
typedef int32_t eight __attribute__ ((vector_size (32)));

static pair p1 = { 1, 2 }, p2;
static triple t1 = { 1, 2, 3 }, t2;
static mix m1 = { 1, 2 }, m2;
static bits b1 = { 1, 2, 3 };
static packed odd = { 1, 2 };
static three i24 = { 0x030201 };
static seven i56 = { 0x07060504030201 };
static unsigned __int128 wide = ((unsigned __int128)5 << 64) + 6;
static long double ld = 1.0L;
static four f4 = { 1, 2, 3, 4 };
static eight e8 = { 1, 2, 3, 4, 5, 6, 7, 8 };
static double _Complex z = 1.0;
static unsigned sink;

static void
copies (void)
{
  p2 = p1; //= load8 p1 8589934593; store8 p2 8589934593
  WALL ();
  t2 = t1; //= load8 t1 8589934593; load4 t1+8 3; store8 t2 8589934593; store4 t2+8 3
  WALL ();
  m2 = m1; //= load8 m1 1; load8 m1+8 2; store8 m2 1; store8 m2+8 2
  WALL ();
}

static void
fields (void)
{
  sink += b1.one; //= load4 b1 785
  WALL ();
  b1.two = 4; //= load4 b1 785; store4 b1 801
  WALL ();
  sink += (unsigned)odd.odd; //= load4 odd+1 2
  WALL ();
  odd.odd = -1; //= store4 odd+1 4294967295
  WALL ();
  i24.n = i24.n + 1; //= load2 i24 513; load1 i24+2 3; store2 i24 514; store1 i24+2 3
  WALL ();
  i56.n += 1ul << 48; //= load4 i56 67305985; load2 i56+4 1541; load1 i56+6 7; store4 i56 67305985; store2 i56+4 1541; store1 i56+6 8
  WALL ();
}

static void
wides (void)
{
  sink += (unsigned)(wide >> 60); //= load8 wide 6; load8 wide+8 5
  WALL ();
  wide = 9; //= store8 wide 9; store8 wide+8 0
  WALL ();
  ld = ld + 1; //= load8 ld 9223372036854775808; load2 ld+8 16383; store8 ld 9223372036854775808; store2 ld+8 16384
  WALL ();
  four x = f4; //= load8 f4 4611686019492741120; load8 f4+8 4647714816524288000
  f4 = x + x; //= store8 f4 4647714816520093696; store8 f4+8 4683743613551640576
  WALL ();
}

static void
vectors (void)
{
  eight x = e8; //= load8 e8 8589934593; load8 e8+8 17179869187; load8 e8+16 25769803781; load8 e8+24 34359738375
  WALL ();
  x += 1;
  e8 = x; //= store8 e8 12884901890; store8 e8+8 21474836484; store8 e8+16 30064771078; store8 e8+24 38654705672
  WALL ();
  z = 3.0; //= store8 z 4613937818241073152; store8 z+8 0
  WALL ();
}

int
main (void)
{
  NAME (p1);
  NAME (p2);
  NAME (t1);
  NAME (t2);
  NAME (m1);
  NAME (m2);
  NAME (b1);
  NAME (odd);
  NAME (i24);
  NAME (i56);
  NAME (wide);
  NAME (ld);
  NAME (f4);
  NAME (e8);
  NAME (z);
  memset (&m1, 0, sizeof m1);
  m1.tag = 1;
  m1.n = 2;
  LISTEN (ACCESSES);
  copies ();
  fields ();
  wides ();
  vectors ();
  LISTEN (NOTHING);
  printf ("%d %d %d %d %d %u %g %g %d %u %u %lx\n", p2.b, t2.c, (int)m2.n, odd.odd,
          (int)wide, b1.two, (double)ld, (double)f4[3], e8[7], sink,
          i24.n, (unsigned long)i56.n);
  return 0;
}
