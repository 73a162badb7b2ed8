/* The C++ library: new and delete, which only pass on their caller, and the
   guards of static locals.

   A program that contains the library (-static-libstdc++) was linked with these
   instead of its own, and there is no next definition: then they do what the
   library would. */
#include "runtime/hooks/cxx.h"
#include "runtime/hooks/hook.h"

#include <stdlib.h>

OMEN_NEXT (int, sched_yield, (void));

/* -- new and delete ------------------------------------------------------ */

/* Without the library nothing can throw. */
static void *
must (void *block)
{
  if (!block)
    abort ();
  return block;
}

static void *
aligned (size_t size, size_t align)
{
  size_t whole = (size + align - 1) & ~(align - 1);
  return whole < size ? NULL : aligned_alloc (align, whole ? whole : align);
}

/* new[] calls new: the outer call is the one to report. */
#define HOOK(type, name, parameters, arguments, otherwise)                     \
  OMEN_NEXT (type, name, parameters);                                          \
  OMEN_EXPORT type name parameters;                                            \
  type name parameters                                                         \
  {                                                                            \
    static bool missing;                                                       \
    if (!omen_heap_caller)                                                     \
      omen_heap_caller = OMEN_PC;                                              \
    if (OMEN_UNLIKELY (missing || (missing = !OMEN_REAL (name))))              \
      return otherwise;                                                        \
    return real_##name arguments;                                              \
  }

#define NEW(name, parameters, arguments, otherwise)                            \
  HOOK (void *, name, parameters, arguments, otherwise)
#define DELETE(name, parameters, arguments)                                    \
  HOOK (void, name, parameters, arguments, free (block))

NEW (_Znwm, (size_t size), (size), must (malloc (size)))
NEW (_Znam, (size_t size), (size), must (malloc (size)))
NEW (_ZnwmRKSt9nothrow_t, (size_t size, void *tag), (size, tag), malloc (size))
NEW (_ZnamRKSt9nothrow_t, (size_t size, void *tag), (size, tag), malloc (size))
NEW (_ZnwmSt11align_val_t, (size_t size, size_t align), (size, align),
     must (aligned (size, align)))
NEW (_ZnamSt11align_val_t, (size_t size, size_t align), (size, align),
     must (aligned (size, align)))
NEW (_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t align, void *tag),
     (size, align, tag), aligned (size, align))
NEW (_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t align, void *tag),
     (size, align, tag), aligned (size, align))
DELETE (_ZdlPv, (void *block), (block))
DELETE (_ZdaPv, (void *block), (block))
DELETE (_ZdlPvm, (void *block, size_t size), (block, size))
DELETE (_ZdaPvm, (void *block, size_t size), (block, size))
DELETE (_ZdlPvSt11align_val_t, (void *block, size_t align), (block, align))
DELETE (_ZdaPvSt11align_val_t, (void *block, size_t align), (block, align))
DELETE (_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t align),
        (block, size, align))
DELETE (_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t align),
        (block, size, align))

/* -- Guards -------------------------------------------------------------------

   The first byte says that the initialisation is complete. The compiled program
   itself reads it, as an atomic, so accesses to it here are logged as atomics,
   too. The second byte says that the initialisation is in progress. */
typedef struct guard {
  uint8_t done, busy;
} guard;

OMEN_NEXT (int, __cxa_guard_acquire, (guard *));
OMEN_NEXT (void, __cxa_guard_release, (guard *));
OMEN_NEXT (void, __cxa_guard_abort, (guard *));

static omen_site load_site
    = { .kind = OMEN_SITE_ATOMIC_LOAD, .size = 1, .order = OMEN_SITE_ACQUIRE };
static omen_site store_site
    = { .kind = OMEN_SITE_ATOMIC_STORE, .size = 1, .order = OMEN_SITE_RELEASE };

static bool
in_progress (const guard *g)
{
  return !__atomic_load_n (&g->done, __ATOMIC_ACQUIRE)
         && __atomic_load_n (&g->busy, __ATOMIC_RELAXED);
}

static int
guard_acquire (guard *g)
{
  static bool missing;
  if (!missing && OMEN_REAL (__cxa_guard_acquire))
    return real___cxa_guard_acquire (g);
  missing = true;
  while (!__atomic_load_n (&g->done, __ATOMIC_ACQUIRE)) {
    if (!__atomic_exchange_n (&g->busy, 1, __ATOMIC_ACQUIRE))
      return 1;
    OMEN_REAL (sched_yield) ();
  }
  return 0;
}

static void
release_guard (guard *g)
{
  if (real___cxa_guard_acquire)
    OMEN_REAL (__cxa_guard_release) (g);
  else {
    __atomic_store_n (&g->done, 1, __ATOMIC_RELEASE);
    __atomic_store_n (&g->busy, 0, __ATOMIC_RELEASE);
  }
}

OMEN_EXPORT int __cxa_guard_acquire (guard *g);
OMEN_EXPORT void __cxa_guard_release (guard *g);
OMEN_EXPORT void __cxa_guard_abort (guard *g);

int
__cxa_guard_acquire (guard *g)
{
  if (omen_enabled () && omen_rt_scheduled)
    while (in_progress (g))
      omen_sched_wait (g);
  int result = guard_acquire (g);
  if (!result && omen_enabled ()) {
    uint64_t ticket;
    do
      ticket = __omen_atomic_peek (g);
    while (!__omen_atomic_load (g, 1, &load_site, ticket));
  }
  return result;
}

void
__cxa_guard_release (guard *g)
{
  if (!omen_enabled ()) {
    release_guard (g);
    return;
  }
  uint64_t ticket = __omen_atomic_begin (g);
  release_guard (g);
  __omen_atomic_store (g, 1, &store_site, ticket);
  if (omen_rt_scheduled)
    omen_sched_wake (g, true);
}

void
__cxa_guard_abort (guard *g)
{
  if (real___cxa_guard_acquire)
    OMEN_REAL (__cxa_guard_abort) (g);
  else
    __atomic_store_n (&g->busy, 0, __ATOMIC_RELEASE);
  if (omen_enabled () && omen_rt_scheduled)
    omen_sched_wake (g, true);
}
