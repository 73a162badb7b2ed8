/* Loops that go in steps, of every shape, and loops that do not: with each
   access noted and with loops noted whole the same accesses are reported
   (compared by the suite). "whole": such a loop is noted whole; "each": never. */
#include "listen.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 600, SIDE = 40 };

typedef struct body {
  double x, y, mass;
  float spin;
  char tag;
} body;

static double a[MANY], b[MANY], square[SIDE][SIDE];
static float f[MANY], g[MANY];
static int ints[MANY];
static short shorts[MANY];
static unsigned char bytes[3 * MANY], more[MANY];
static uint64_t longs[MANY], total;
static long double wide[MANY];
static body bodies[MANY];
static char *names[MANY];
static volatile int watched[MANY];

__attribute__ ((noinline)) static void
scale (double *to, const double *from, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = from[i] * 3 + 1; // whole
}

/* Each turn reads what the one before wrote. */
__attribute__ ((noinline)) static void
prefix (uint64_t *at, long count)
{
  for (long i = 1; i < count; i++)
    at[i] += at[i - 1] * 31 + 7; // whole
}

__attribute__ ((noinline)) static void
down (int *to, int count)
{
  for (int i = count - 1; i >= 0; i--)
    to[i] = to[i] * 5 + i;
}

__attribute__ ((noinline)) static double
column (double (*rows)[SIDE], int which, int count, int stride)
{
  double sum = 0;
  const double *at = &rows[0][which];
  for (int i = 0; i < count; i++, at += stride)
    sum += *at; // whole
  return sum;
}

__attribute__ ((noinline)) static double
pull (body *all, long count)
{
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += all[i].x * all[i].mass + all[i].spin + all[i].tag; // whole
  return sum;
}

__attribute__ ((noinline)) static void
blur (unsigned char *to, const unsigned char *up, const unsigned char *row,
      int count)
{
  for (int i = 1; i < count; i++)
    to[i] = (unsigned char)((up[i - 1] + up[i] * 2 + row[i + 1]) / 4); // whole
}

__attribute__ ((noinline)) static void
mix (float *restrict to, const short *restrict from, const float *restrict other,
     int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (float)from[i] * other[i] + (from[i] > 9 ? 1.0f : 0.5f); // whole
}

/* Every third, by a counter that is not of 64 bits. */
__attribute__ ((noinline)) static unsigned
thirds (const unsigned char *at, unsigned short count)
{
  unsigned hash = 5381;
  for (unsigned short i = 0; i < count; i++)
    hash = hash * 33 ^ at[3 * i]; // whole
  return hash;
}

__attribute__ ((noinline)) static long double
lengths (const long double *at, int count)
{
  long double sum = 0;
  for (int i = 0; i < count; i++)
    sum += at[i]; // whole
  return sum;
}

/* Not the same number of turns each time, nor enough. */
__attribute__ ((noinline)) static void
triangle (double (*rows)[SIDE], int count)
{
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++)
      rows[i][k] += rows[k][i];
}

/* The end depends on what is read. */
__attribute__ ((noinline)) static int
find (const int *at, int value)
{
  int i = 0;
  while (at[i] != value) // each
    i++;
  return i;
}

__attribute__ ((noinline)) static int
sometimes (const int *at, unsigned char *to, int count)
{
  int hits = 0;
  for (int i = 0; i < count; i++)
    if (at[i] % 3 == 0) { // each
      to[i]++; // each
      hits++;
    }
  return hits;
}

__attribute__ ((noinline)) static uint64_t
through (const uint64_t *at, const int *where, int count)
{
  uint64_t sum = 0;
  for (int i = 0; i < count; i++)
    sum += at[(unsigned)where[i] % MANY]; // each
  return sum;
}

__attribute__ ((noinline)) static int
watch (int count)
{
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += watched[i]; // each
  return sum;
}

/* Pointers that are stored. */
__attribute__ ((noinline)) static void
point (char **to, unsigned char *at, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (char *)at + 2 * i; // each
}

/* What nobody else sees is not reported, whole or not. */
__attribute__ ((noinline)) static uint64_t
own (const uint64_t *at, int count)
{
  uint64_t local[MANY], sum = 0;
  for (int i = 0; i < count; i++)
    local[i] = at[i] ^ (uint64_t)i; // whole
  for (int i = 0; i < count; i++)
    sum = sum * 7 + local[count - 1 - i]; // each
  return sum;
}

/* Values that are used after the loop, from both forms of it. */
__attribute__ ((noinline)) static int
last (const int *at, int count)
{
  int most = 0, hash = 0, i;
  for (i = 0; i < count; i++) {
    hash = hash * 31 + most;
    most = at[i] > most ? at[i] : most; // whole
  }
  return hash * 1000 + most + i;
}

static void
fill (void)
{
  for (int i = 0; i < MANY; i++) {
    a[i] = i;
    b[i] = 2 * i;
    f[i] = (float)i;
    g[i] = (float)(i % 7);
    ints[i] = i * 7 % 1000;
    shorts[i] = (short)(i % 23);
    longs[i] = (uint64_t)i * i;
    wide[i] = i;
    more[i] = (unsigned char)(i * 11);
    watched[i] = i;
    bodies[i] = (body){ i, 1, i % 5, 2, (char)(i % 100) };
  }
  for (int i = 0; i < 3 * MANY; i++)
    bytes[i] = (unsigned char)(i * 13);
  for (int i = 0; i < SIDE * SIDE; i++)
    square[i / SIDE][i % SIDE] = i;
}

static void
run (int count)
{
  double sum = column (square, 3, SIDE, SIDE) + pull (bodies, count);
  scale (a, b, count);
  scale (a + 1, a, count - 1);
  prefix (longs, count);
  down (ints, count);
  blur (more, bytes, bytes + MANY, count);
  mix (f, shorts, g, count);
  triangle (square, SIDE);
  total += thirds (bytes, (unsigned short)count) + own (longs, count);
  ints[count - 1] = 12345678;
  total += (uint64_t)find (ints, 12345678) + (uint64_t)watch (count);
  total += (uint64_t)sometimes (ints, more, count) + through (longs, ints, count);
  point (names, bytes, count);
  sum += column (square, 1, 150, 2) + a[count / 2] + f[count / 3];
  printf ("%d %g %Lg %d %lu %d\n", count, sum, lengths (wide, count),
          last (ints, count), (unsigned long)total, *names[count - 1]);
}

int
main (void)
{
  fill ();
  NAME (a), NAME (b), NAME (square), NAME (f), NAME (g), NAME (ints);
  NAME (shorts), NAME (bytes), NAME (more), NAME (longs), NAME (total);
  NAME (wide), NAME (bodies), NAME (names), NAME (watched);
  LISTEN (ACCESSES);
  for (int count = MANY - 2; count > 2; count = count * 3 / 4)
    run (count);
  LISTEN (NOTHING);
  return 0;
}
