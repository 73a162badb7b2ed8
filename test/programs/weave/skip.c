/* What is not reported, and what stands for it. */
#include "listen.h"

#include <stdio.h>
#include <string.h>

static __thread int own = 1;       /* nobody else can reach it */
static __thread int lent = 2;      /* its address goes out */
__thread int known = 3;            /* other files may take its address */
static const int table[4] = { 1, 2, 3, 4 };
static int cell, out;
static int *borrowed;
static int sink;

__attribute__ ((noinline, no_sanitize ("thread"))) static void
plain_left_out (void)
{
  cell = 5;
  __atomic_store_n (&cell, 6, __ATOMIC_SEQ_CST); //= aw4 cell 6 sc
}

__attribute__ ((noinline, disable_sanitizer_instrumentation)) static void
all_left_out (void)
{
  cell = 5;
  __atomic_store_n (&cell, 7, __ATOMIC_SEQ_CST);
}

__attribute__ ((noinline)) static void
thread_locals (void)
{
  own++;
  WALL ();
  lent++; //= load4 lent 2; store4 lent 3
  WALL ();
  known++; //= load4 known 3; store4 known 4
  WALL ();
  sink += own;
}

__attribute__ ((noinline)) static int
constants (int i)
{
  return table[i] + "text"[i];
}

__attribute__ ((noinline)) static void
assembly (int n)
{
  __asm__ volatile ("movl %1, %0" : "=m"(cell) : "r"(n)); //= external cell 4
  __asm__ volatile ("addl $1, %0" : "+m"(cell)); //= external cell 4
  __asm__ volatile ("movl %1, %0" : "=r"(n) : "m"(cell));
  out = n; //= store4 out 10
  WALL ();
}

struct big {
  int v[20];
};
int by_value (struct big b, int i);
static struct big whole = { { 1, 2, 3 } };

__attribute__ ((noinline)) int
by_value (struct big b, int i)
{
  b.v[i] += 1;
  return b.v[i] + b.v[1];
}

__attribute__ ((noinline)) static int
passes (int i)
{
  return by_value (whole, i); //= memcpy 80 from whole
}

__attribute__ ((noinline)) static struct big
makes (int n)
{
  struct big b;
  memset (&b, 0, sizeof b);
  b.v[1] = n;
  return b;
}

int
main (void)
{
  NAME (cell);
  NAME (lent);
  NAME (out);
  NAME (table);
  NAME (whole);
#ifdef __OMEN__
  listen_name (&known, sizeof known, "known");
#endif
  borrowed = &lent;
  LISTEN (ACCESSES);
  plain_left_out ();
  all_left_out ();
  thread_locals ();
  sink += constants (2);
  assembly (9);
  sink += passes (2);
  LISTEN (NOTHING);
  sink += makes (4).v[1] + *borrowed;
  printf ("%d %d %d %d %d\n", sink, cell, own, lent, out);
  return 0;
}
