/* Things that are easy to break in translation; only the output counts. */
#include <alloca.h>
#include <complex.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big {
  long v[12];
  char tail[5];
};
struct flex {
  int n;
  short items[];
};
union pun {
  double d;
  uint64_t u;
  struct {
    uint32_t low, high;
  } half;
};
struct __attribute__ ((packed)) packed {
  char a;
  long b;
  short c;
};
struct bits {
  signed int a : 5;
  unsigned b : 11;
  _Bool c : 1;
  unsigned long long d : 47;
};

static struct big shared_big;
static struct bits shared_bits;
static struct packed shared_packed;
static volatile sig_atomic_t signals;
static jmp_buf again;
static int counter;

static void
on_signal (int n)
{
  signals += n;
}

static struct big
make_big (long n)
{
  struct big b = { .v = { n, n + 1 } };
  b.v[11] = n * n;
  strcpy (b.tail, "tail");
  return b;
}

static long
sum_big (struct big b, int scale)
{
  long sum = 0;
  for (int i = 0; i < 12; i++)
    sum += b.v[i] * scale;
  b.v[0] = 99;
  return sum + b.tail[1];
}

static double
mean (int n, ...)
{
  va_list args, copy;
  double sum = 0;
  va_start (args, n);
  va_copy (copy, args);
  for (int i = 0; i < n; i++)
    sum += i % 2 ? va_arg (args, double) : va_arg (args, int);
  sum += va_arg (copy, int);
  va_end (copy);
  va_end (args);
  return sum / n;
}

static int
interpret (const char *program)
{
  static const void *const labels[] = { &&halt, &&add, &&twice };
  int x = 1;
  goto *labels[(int)*program++];
add:
  x += 3;
  goto *labels[(int)*program++];
twice:
  x *= 2;
  goto *labels[(int)*program++];
halt:
  return x;
}

static int
fields (void)
{
  struct bits mine = { -3, 1000, 1, 123456789012ull };
  shared_bits = mine;
  shared_bits.a++;
  shared_bits.b += 500;
  shared_bits.c ^= 1;
  shared_bits.d = ~shared_bits.d;
  shared_packed.b = shared_bits.a;
  shared_packed.c = (short)shared_bits.b;
  return shared_bits.a + (int)shared_bits.b + shared_bits.c
         + (int)(shared_bits.d >> 20) + (int)shared_packed.b + shared_packed.c;
}

static int
recurse (int n, int *down)
{
  int here = n;
  *down += here;
  if (n == 0)
    return *down;
  return recurse (n - 1, &here) + *down;
}

static int
stack_games (int n)
{
  char *grown = alloca ((size_t)n);
  int square[n][n], sum = 0;
  memset (grown, 'x', (size_t)n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      square[i][j] = i * j + grown[i];
  for (int i = 0; i < n; i++) {
    int inner[i + 1];
    inner[i] = square[i][i];
    sum += inner[i];
  }
  return sum;
}

static int
jumps (void)
{
  volatile int tries = 0;
  int back = setjmp (again);
  tries++;
  if (back < 3)
    longjmp (again, back + 1);
  return tries * 10 + back;
}

static int
compare (const void *a, const void *b)
{
  counter++;
  return *(const int *)a - *(const int *)b;
}

static float
vectors (int n)
{
  float a[64], b[64], dot = 0;
  for (int i = 0; i < 64; i++) {
    a[i] = (float)(i % n);
    b[i] = (float)(i % (n + 2));
  }
  for (int i = 0; i < 64; i++)
    dot += a[i] * b[i];
  return dot;
}

static double _Complex
rotate (double _Complex z, int n)
{
  while (n--)
    z = z * I + conj (z);
  return z;
}

int
main (void)
{
  union pun pun = { .d = 1.0 / 3 };
  int list[9] = { 5, 3, 8, 1, 9, 2, 7, 4, 6 }, zero = 0;
  struct flex *flex = malloc (sizeof *flex + 4 * sizeof *flex->items);
  long double long_one = 1.0L;
  flex->n = 4;
  for (int i = 0; i < flex->n; i++)
    flex->items[i] = (short)(i * 1000);
  signal (SIGUSR1, on_signal);
  raise (SIGUSR1);
  shared_big = make_big (7);
  struct big other = shared_big;
  other.v[3] = 5;
  shared_big = other;
  qsort (list, 9, sizeof *list, compare);
  for (int i = 0; i < 70; i++)
    long_one = long_one * 1.25L + flex->items[i % 4];
  errno = 33;
  shared_big.v[1]++;
  int error = errno;
  double _Complex z = rotate (1 + 2 * I, 5);
  printf ("%d %ld %ld %s\n", (int)signals, sum_big (shared_big, 2),
          shared_big.v[0], shared_big.tail);
  printf ("%.3f %d %d %d\n", mean (4, 1, 2.5, 3, 4.5),
          interpret ("\1\2\2\1"), fields (), recurse (6, &zero));
  printf ("%d %d %u %u %.6Lg\n", stack_games (9), jumps (), pun.half.low,
          pun.half.high, long_one);
  printf ("%d%d%d %d %g %g%+gi %d\n", list[0], list[4], list[8],
          counter > 0, (double)vectors (7), creal (z), cimag (z), error);
  free (flex);
  return 0;
}
