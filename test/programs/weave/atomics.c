/* Atomic operations: sizes, orders, old and new values; fences. */
#include "listen.h"

#include <stdatomic.h>
#include <stdio.h>

static atomic_int a;
static atomic_uchar byte;
static atomic_short half;
static _Atomic long long word;
static _Atomic (int *) pointer;
static _Atomic float real = 1.0f;
static volatile atomic_int noisy;
static int plain;
static int sink;

static void
loads (void)
{
  sink += atomic_load_explicit (&a, memory_order_relaxed); //= ar4 a 0 rlx
  sink += atomic_load_explicit (&a, memory_order_acquire); //= ar4 a 0 acq
  sink += atomic_load (&a); //= ar4 a 0 sc
  sink += atomic_load (&byte); //= ar1 byte 0 sc
  sink += noisy; //= ar4 noisy 0,0:0,0 1 sc
  sink += __atomic_load_n (&plain, __ATOMIC_CONSUME); //= ar4 plain 0 acq
  sink += (int)atomic_load_explicit (&real, memory_order_relaxed); //= ar4 real 1065353216 rlx
}

static void
stores (void)
{
  atomic_store_explicit (&a, -1, memory_order_relaxed); //= aw4 a 4294967295 rlx
  atomic_store_explicit (&a, 2, memory_order_release); //= aw4 a 2 rel
  a = 3; //= aw4 a 3 sc
  half = -1; //= aw2 half 65535 sc
  word = 1ll << 40; //= aw8 word 1099511627776 sc
  pointer = &plain; //= aw8 pointer &plain sc
  noisy = 4; //= aw4 noisy 4 sc
}

static void
updates (void)
{
  sink += atomic_fetch_add_explicit (&a, 2, memory_order_relaxed); //= rmw4 a 3:5 rlx
  sink += atomic_fetch_sub_explicit (&a, 1, memory_order_acquire); //= rmw4 a 5:4 acq
  sink += atomic_fetch_or_explicit (&a, 3, memory_order_release); //= rmw4 a 4:7 rel
  sink += atomic_fetch_and_explicit (&a, 5, memory_order_acq_rel); //= rmw4 a 7:5 acq_rel
  sink += atomic_fetch_xor (&a, 1); //= rmw4 a 5:4 sc
  sink += atomic_exchange (&a, 8); //= rmw4 a 4:8 sc
  sink += __atomic_fetch_nand (&plain, 3, __ATOMIC_SEQ_CST); //= rmw4 plain 0:4294967295 sc
  sink += __atomic_fetch_min (&plain, -7, __ATOMIC_SEQ_CST); //= rmw4 plain 4294967295:4294967289 sc
  sink += __atomic_fetch_max (&plain, 2, __ATOMIC_SEQ_CST); //= rmw4 plain 4294967289:2 sc
  sink += atomic_fetch_add (&byte, 255); //= rmw1 byte 0:255 sc
  sink += byte++; //= rmw1 byte 255:0 sc
}

static int
exchange (int want, int value)
{
  return atomic_compare_exchange_strong_explicit (&a, &want, value, memory_order_acq_rel, memory_order_relaxed); //= cas4 a 8:9 acq_rel; casfail4 a 9 rlx
}

static void
fences (void)
{
  atomic_thread_fence (memory_order_acquire); //= fence acq
  WALL ();
  atomic_thread_fence (memory_order_release); //= fence rel
  WALL ();
  atomic_thread_fence (memory_order_seq_cst); //= fence sc
  atomic_signal_fence (memory_order_seq_cst);
}

/* An atomic that nobody else can see is nothing to report. */
static int
private_atomic (void)
{
  atomic_int mine = 1;
  atomic_fetch_add (&mine, 2);
  return mine;
}

int
main (void)
{
  NAME (a);
  NAME (byte);
  NAME (half);
  NAME (word);
  NAME (pointer);
  NAME (real);
  NAME (noisy);
  NAME (plain);
  LISTEN (ACCESSES);
  loads ();
  stores ();
  updates ();
  sink += exchange (8, 9);
  sink += exchange (8, 10);
  fences ();
  sink += private_atomic ();
  LISTEN (NOTHING);
  printf ("%d %d %d %d %lld\n", sink, a, byte, plain, word);
  return 0;
}
