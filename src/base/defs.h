/* Ids and checks that all modules share. Plain data: the guest runtime may
   include this file.

   Three classes of failure:
   - input or environment: return false/NULL and fill an omen_err;
   - the caller's contract: OMEN_REQUIRE, always on;
   - our bug: OMEN_ASSERT (cheap, always on), OMEN_CHECK (expensive, on in
     debug, asan and hard builds). */
#ifndef OMEN_BASE_DEFS_H
#define OMEN_BASE_DEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t omen_tid; /* thread */
typedef uint32_t omen_eid; /* event: index in the trace */
typedef uint32_t omen_vid; /* variable (a block instance) */
typedef uint32_t omen_pid; /* place: a byte range of a variable */
typedef uint32_t omen_lid; /* lock */
typedef uint32_t omen_cid; /* interned vector clock */
typedef uint32_t omen_sid; /* string */

#define OMEN_NONE UINT32_MAX

/* The result of a search; never an error. */
typedef enum omen_verdict {
  OMEN_FOUND,
  OMEN_ABSENT,
  OMEN_UNKNOWN
} omen_verdict;

_Noreturn void omen_panic (const char *file, int line, const char *function,
                           const char *what, const char *expr);

#define OMEN_FAIL_(what, expr)                                                 \
  omen_panic (__FILE__, __LINE__, __func__, what, expr)
#define OMEN_REQUIRE(e) ((e) ? (void)0 : OMEN_FAIL_ ("contract broken", #e))
#define OMEN_ASSERT(e) ((e) ? (void)0 : OMEN_FAIL_ ("internal error", #e))
#ifdef OMEN_EXPENSIVE
#define OMEN_CHECK(e) OMEN_ASSERT (e)
#else
#define OMEN_CHECK(e) ((void)(0 && (e))) /* variables are used */
#endif

/* Plural ending: "%u event%s". */
static inline const char *
omen_s (uint64_t count)
{
  return count == 1 ? "" : "s";
}

/* "%u process%s" */
static inline const char *
omen_es (uint64_t count)
{
  return count == 1 ? "" : "es";
}

#define OMEN_COUNT(array) (sizeof (array) / sizeof (array)[0])
#define OMEN_LIKELY(e) __builtin_expect (!!(e), 1)
#define OMEN_UNLIKELY(e) __builtin_expect (!!(e), 0)

/* hard builds make rare events common (tiny buffers, growth at every step) */
#ifdef OMEN_HARD
#define OMEN_HARD_OR(hard, normal) (hard)
#else
#define OMEN_HARD_OR(hard, normal) (normal)
#endif

#endif
