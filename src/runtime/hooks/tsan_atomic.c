/* ThreadSanitizer's atomics: they do what their names say, with the values
   that the program gets, so these are exact in any mode. The memory order of
   the program is noted; the operation itself is sequentially consistent. */
#include "runtime/hooks/atomic.h"

typedef unsigned __int128 wide;

#pragma GCC visibility push(default)

/* -- Sites: one for each kind, size and order ---------------------------- */

enum { ORDERS = 5, SIZES = 5 };

static omen_site sites[SIZES][ORDERS][4];
static omen_site compare_sites[SIZES][ORDERS][ORDERS];

/* The numbers of __ATOMIC_RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST;
   higher bits are hints. */
static uint8_t
order_of (int order)
{
  static const uint8_t orders[]
      = { OMEN_SITE_RELAXED, OMEN_SITE_ACQUIRE, OMEN_SITE_ACQUIRE,
          OMEN_SITE_RELEASE, OMEN_SITE_ACQ_REL, OMEN_SITE_SC };
  unsigned known = (unsigned)order & 0x7fff;
  return known < OMEN_COUNT (orders) ? orders[known] : OMEN_SITE_SC;
}

/* Filled at each use; all threads store the same values. */
static omen_site *
site_of (uint8_t kind, size_t size, int order, int failure)
{
  uint8_t o = order_of (order), f = order_of (failure);
  int row = __builtin_ctzl (size);
  omen_site *site = kind == OMEN_SITE_ATOMIC_CAS
                        ? &compare_sites[row][o][f]
                        : &sites[row][o][kind - OMEN_SITE_ATOMIC_LOAD];
  if (OMEN_UNLIKELY (!site->kind)) {
    site->size = (uint8_t)size;
    site->order = o;
    site->failure = f;
    __atomic_store_n (&site->kind, kind, __ATOMIC_RELEASE);
  }
  return site;
}

static uint64_t
high (wide value)
{
  return (uint64_t)(value >> 64);
}

static void
finish_operation (const volatile void *at, omen_site *site, wide old,
                  wide value, bool failed, uint64_t ticket, uint64_t pc)
{
  omen_atomic_close (&(omen_atomic_access){ .addr = at,
                                            .site = site,
                                            .pc = pc,
                                            .old = (uint64_t)old,
                                            .old_high = high (old),
                                            .value = (uint64_t)value,
                                            .high = high (value),
                                            .failed = failed },
                     ticket);
}

/* -- Operations ---------------------------------------------------------- */

#define MODIFY(bits, type, name, builtin, result)                              \
  type __tsan_atomic##bits##_##name (volatile type *at, type operand,          \
                                     int order);                               \
  type __tsan_atomic##bits##_##name (volatile type *at, type operand,          \
                                     int order)                                \
  {                                                                            \
    omen_site *site = site_of (OMEN_SITE_ATOMIC_RMW, sizeof *at, order, 0);    \
    uint64_t ticket = __omen_atomic_begin (at);                                \
    type old = builtin (at, operand, __ATOMIC_SEQ_CST);                        \
    finish_operation (at, site, old, (type)(result), false, ticket, OMEN_PC);  \
    return old;                                                                \
  }

#define COMPARE(bits, type, exchange)                                          \
  static inline bool compare##bits (volatile type *at, type *expected,         \
                                    type value, int order, int failure,        \
                                    uint64_t pc)                               \
  {                                                                            \
    omen_site *site                                                            \
        = site_of (OMEN_SITE_ATOMIC_CAS, sizeof *at, order, failure);          \
    uint64_t ticket = __omen_atomic_begin (at);                                \
    bool done = exchange (at, expected, value, false, __ATOMIC_SEQ_CST,        \
                          __ATOMIC_SEQ_CST);                                   \
    finish_operation (at, site, *expected, value, !done, ticket, pc);          \
    return done;                                                               \
  }                                                                            \
  int __tsan_atomic##bits##_compare_exchange_strong (                          \
      volatile type *at, type *expected, type value, int order, int failure);  \
  int __tsan_atomic##bits##_compare_exchange_strong (                          \
      volatile type *at, type *expected, type value, int order, int failure)   \
  {                                                                            \
    return compare##bits (at, expected, value, order, failure, OMEN_PC);       \
  }                                                                            \
  int __tsan_atomic##bits##_compare_exchange_weak (                            \
      volatile type *at, type *expected, type value, int order, int failure)   \
      __attribute__ ((                                                         \
          alias ("__tsan_atomic" #bits "_compare_exchange_strong")));          \
  type __tsan_atomic##bits##_compare_exchange_val (                            \
      volatile type *at, type expected, type value, int order, int failure);   \
  type __tsan_atomic##bits##_compare_exchange_val (                            \
      volatile type *at, type expected, type value, int order, int failure)    \
  {                                                                            \
    compare##bits (at, &expected, value, order, failure, OMEN_PC);             \
    return expected;                                                           \
  }

#define LOAD(bits, type, load)                                                 \
  type __tsan_atomic##bits##_load (const volatile type *at, int order);        \
  type __tsan_atomic##bits##_load (const volatile type *at, int order)         \
  {                                                                            \
    omen_site *site = site_of (OMEN_SITE_ATOMIC_LOAD, sizeof *at, order, 0);   \
    omen_atomic_access seen = { .addr = at, .site = site, .pc = OMEN_PC };     \
    uint64_t ticket;                                                           \
    type value;                                                                \
    do {                                                                       \
      ticket = __omen_atomic_peek (at);                                        \
      value = load (at, __ATOMIC_SEQ_CST);                                     \
      seen.old = (uint64_t)value;                                              \
      seen.old_high = high (value);                                            \
    } while (!omen_atomic_read (&seen, ticket));                               \
    return value;                                                              \
  }

#define STORE(bits, type, store)                                               \
  void __tsan_atomic##bits##_store (volatile type *at, type value, int order); \
  void __tsan_atomic##bits##_store (volatile type *at, type value, int order)  \
  {                                                                            \
    omen_site *site = site_of (OMEN_SITE_ATOMIC_STORE, sizeof *at, order, 0);  \
    uint64_t ticket = __omen_atomic_begin (at);                                \
    store (at, value, __ATOMIC_SEQ_CST);                                       \
    finish_operation (at, site, 0, value, false, ticket, OMEN_PC);             \
  }

#define OPERATIONS(bits, type, by)                                             \
  LOAD (bits, type, by##_load_n)                                               \
  STORE (bits, type, by##_store_n)                                             \
  MODIFY (bits, type, exchange, by##_exchange_n, operand)                      \
  MODIFY (bits, type, fetch_add, by##_fetch_add, old + operand)                \
  MODIFY (bits, type, fetch_sub, by##_fetch_sub, old - operand)                \
  MODIFY (bits, type, fetch_and, by##_fetch_and, old &operand)                 \
  MODIFY (bits, type, fetch_or, by##_fetch_or, old | operand)                  \
  MODIFY (bits, type, fetch_xor, by##_fetch_xor, old ^ operand)                \
  MODIFY (bits, type, fetch_nand, by##_fetch_nand, ~(old & operand))           \
  COMPARE (bits, type, by##_compare_exchange_n)

OPERATIONS (8, uint8_t, __atomic)
OPERATIONS (16, uint16_t, __atomic)
OPERATIONS (32, uint32_t, __atomic)
OPERATIONS (64, uint64_t, __atomic)

/* 16 bytes: the processor has nothing but compare and exchange. */
static bool
wide_compare_exchange_n (volatile wide *at, wide *expected, wide value,
                         bool weak, int order, int failure)
{
  uint64_t low = (uint64_t)*expected, up = high (*expected);
  bool done;
  __asm__ volatile ("lock cmpxchg16b %1"
                    : "=@ccz"(done), "+m"(*at), "+a"(low), "+d"(up)
                    : "b"((uint64_t)value), "c"(high (value))
                    : "memory");
  *expected = (wide)up << 64 | low;
  return done;
}

static wide
wide_load_n (const volatile wide *at, int order)
{
  wide seen = 0;
  wide_compare_exchange_n ((volatile wide *)at, &seen, 0, false, order, order);
  return seen;
}

#define WIDE(name, result)                                                     \
  static wide wide_##name (volatile wide *at, wide operand, int order)         \
  {                                                                            \
    wide old = 0;                                                              \
    while (!wide_compare_exchange_n (at, &old, result, false, order, order))   \
      ;                                                                        \
    return old;                                                                \
  }

WIDE (exchange_n, operand)
WIDE (fetch_add, old + operand)
WIDE (fetch_sub, old - operand)
WIDE (fetch_and, old &operand)
WIDE (fetch_or, old | operand)
WIDE (fetch_xor, old ^ operand)
WIDE (fetch_nand, ~(old &operand))

static void
wide_store_n (volatile wide *at, wide value, int order)
{
  wide_exchange_n (at, value, order);
}

OPERATIONS (128, wide, wide)

/* -- Fences -------------------------------------------------------------- */

void __tsan_atomic_thread_fence (int order);
void __tsan_atomic_signal_fence (int order);

void
__tsan_atomic_thread_fence (int order)
{
  static omen_site fences[ORDERS];
  uint8_t o = order_of (order);
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  if (!omen_enabled ())
    return;
  fences[o].order = o;
  fences[o].kind = OMEN_SITE_FENCE;
  omen_log_woven (0, 0, &fences[o]);
}

void
__tsan_atomic_signal_fence (int order)
{
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

#pragma GCC visibility pop
