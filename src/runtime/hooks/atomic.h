/* Atomic operations between their two calls (abi.h), for callers that have no
   site of woven code: kind, size and order, and a place. */
#ifndef OMEN_RUNTIME_HOOKS_ATOMIC_H
#define OMEN_RUNTIME_HOOKS_ATOMIC_H

#include "runtime/core/rt.h"

typedef struct omen_atomic_access {
  const volatile void *addr;
  omen_site *site;
  uint64_t pc;
  uint64_t old, old_high, value, high;
  bool failed; /* a compare-and-swap that found another value */
} omen_atomic_access;

/* Closes __omen_atomic_begin. */
void omen_atomic_close (const omen_atomic_access *done, uint64_t ticket);
/* An operation that no other thread can interleave with; not a scheduling
   point. */
void omen_atomic_once (const omen_atomic_access *done);
/* Closes __omen_atomic_peek; false: read again. */
bool omen_atomic_read (const omen_atomic_access *done, uint64_t ticket);

/* Is this thread between the two calls of a writer? Then a signal has to wait
   (signal.c). */
bool omen_atomic_holds (void);

/* Brackets around the handler of a fault raised by the operation itself: it has
   not happened, and may never be closed. */
typedef struct omen_atomic_hold {
  uint64_t *counter; /* or NULL */
  uintptr_t at;
} omen_atomic_hold;
omen_atomic_hold omen_atomic_leave (void);
void omen_atomic_return (omen_atomic_hold left);

void omen_atomics_after_fork (void);

#endif
