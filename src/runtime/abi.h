/* How a woven program speaks to the recorder: the contract between the weaver
   (src/weave) and whoever listens, that is the recorder (src/runtime), the
   empty answers (off.c) and the tests. Plain C; needs only <stdint.h>.

     x = *p;        v = load p;    note (p, v, site)
     *p = x;        store v, p;    note (p, v, site)
     f () { … }     note (d = ++depth, 0, site); … note (d, 0, site'); depth--

   Notes are the frequent part: three words each, about what a thread does by
   itself, in the order of the thread. They are written in line, because that
   costs a quarter of a call:

     if (__omen_cursor & 0xffff)            at most 2730 notes in a row
       *__omen_cursor++ = { a, b, site };   no call, no lock, no atomic
     else
       __omen_note (a, b, site);            buffer full, none, or listening

   All else is calls: what needs an order between threads (atomics) and what
   moves bytes (memcpy and its kin).

   Rules
   - A note or call speaks of what has just HAPPENED (names with `begin` and
     `peek` excepted). So a thread that crashes in an access has not reported
     it. After each access come its notes, before the next access: whoever
     takes every note by __omen_note (cursor NULL) and holds threads there
     controls every interleaving of woven accesses.
   - Values are exact: the bits that the program itself loaded or stored, never
     read a second time. They are zero-extended to 64 bits; floats, pointers
     and vectors come as their bits, wider accesses in pieces of 8, 4, 2, 1
     bytes, lower addresses first, bit-fields as the unit that the compiler
     loads and stores. Addresses need not be aligned. Volatile is plain.
   - The weaver adds and does not replace, with one exception: copies and fills
     become __omen_memcpy and its kin, whose answer does the work.
   - The order of notes and calls is the order in the compiled program, which
     may differ from the source where the language lets it.
   - Answers change no memory of the program, keep errno, and may block. They
     may be called in a signal handler that interrupted a note or another
     answer: whoever records puts a cursor of its own under the handler and
     the old one back after it (a note of the interrupted code may be half
     written at the old cursor); the events of the handler come first.

   What is not reported
   - accesses to objects that nothing but their own function can reach (locals
     whose address goes nowhere, file-local thread-locals likewise), and to
     constants;
   - plain accesses in functions marked no_sanitize("thread") (atomics and
     markers there are), anything in functions marked
     disable_sanitizer_instrumentation;
   - what inline assembly does (its memory outputs come as EXTERNAL) and vector
     intrinsics of one processor;
   - initial values: a heap or stack block starts with an unknown value, those
     of globals are in the writable segments when the recorder starts.
   No executed access is left out as redundant: each one has its own value.

   An address in a thread's stack that no STACK_ALLOC covers is nobody's
   variable (argument areas, frames of functions that are not woven): readers
   of a trace drop accesses to it. */
#ifndef OMEN_RUNTIME_ABI_H
#define OMEN_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Every woven object holds the text "omen-abi 1" in a section of its own;
   the runtime's soname ends in the same number. */
#define OMEN_ABI_VERSION 1
#define OMEN_ABI_TEXT "omen-abi 1"
#define OMEN_ABI_SECTION ".omen"

/* -- Sites -------------------------------------------------------------------

   A place in the source that reports something; static data of the woven
   program, in the section "omen_sites". The same place may have several (after
   inlining or unrolling). */
enum omen_site_kind {       /* note a, b */
  OMEN_SITE_LOAD = 1,       /* address, value */
  OMEN_SITE_STORE,          /* address, value */
  OMEN_SITE_ENTER,          /* depth, 0 */
  OMEN_SITE_EXIT,           /* depth, 0 */
  OMEN_SITE_LANDED,         /* depth, 0 */
  OMEN_SITE_STACK_ALLOC,    /* address, size */
  OMEN_SITE_STACK_FREE,     /* address, size */
  OMEN_SITE_EXTERNAL,       /* address, size: written by code not woven */
  OMEN_SITE_FENCE,          /* 0, 0: a fence between threads, with `order` */
  OMEN_SITE_INLINED,        /* no notes: where the caller of a site is */
  OMEN_SITE_RANGE,          /* memcpy, memmove, memset */
  OMEN_SITE_ATOMIC_LOAD,    /* the rest: calls, with `order` */
  OMEN_SITE_ATOMIC_STORE,
  OMEN_SITE_ATOMIC_RMW,
  OMEN_SITE_ATOMIC_CAS      /* and `failure` */
};
enum omen_site_order {      /* as omen_order in trace/event.h */
  OMEN_SITE_SC,
  OMEN_SITE_RELAXED,
  OMEN_SITE_ACQUIRE,
  OMEN_SITE_RELEASE,
  OMEN_SITE_ACQ_REL
};

typedef struct omen_site {
  uint8_t kind;     /* omen_site_kind */
  uint8_t size;     /* of the access in bytes: 1 to 8, atomics to 16 */
  uint8_t order;    /* omen_site_order */
  uint8_t failure;  /* omen_site_order: of a compare that fails */
  uint32_t line, column;
  /* Distances in bytes from the start of this struct; 0: none. */
  int32_t function; /* "name\nfile\nline" of the source function */
  int32_t file;     /* where `line` is; the file as the compiler was told */
  int32_t caller;   /* site of kind INLINED: where `function` was inlined */
  int32_t name;     /* STACK_ALLOC, STACK_FREE: the variable */
  uint32_t id;      /* 0; whoever listens may keep a number here */
} omen_site;

static inline const char *
omen_site_function (const omen_site *site)
{
  return site->function ? (const char *)site + site->function : "";
}

static inline const char *
omen_site_file (const omen_site *site)
{
  return site->file ? (const char *)site + site->file : "";
}

static inline const char *
omen_site_name (const omen_site *site)
{
  return site->name ? (const char *)site + site->name : "";
}

static inline const omen_site *
omen_site_caller (const omen_site *site)
{
  return site->caller ? (const omen_site *)((const char *)site + site->caller)
                      : NULL;
}

/* -- Notes -------------------------------------------------------------------

   The cursor of a thread is where its next note goes, unless its lower 16 bits
   are 0. It starts as NULL. A buffer is thus the end of an aligned 64 KiB:
   notes start at offset 16 (or 16 + 24 n) and the last one ends at the next
   64 KiB boundary. __omen_note takes the note that found no room, and may be
   called even if there is room (code that is not optimised always calls). It
   may set the cursor, of its own thread only.

   __omen_note keeps all general registers but r11 (clang's preserve_most), so
   that the code around a note need not save any: note.S does that and calls
   omen_note_taken, which is plain C and which the listener defines. */
typedef struct omen_note {
  uint64_t a, b;
  omen_site *site;
} omen_note;

#define OMEN_NOTE_SPAN 65536

#define OMEN_ABI_TLS __thread __attribute__ ((tls_model ("initial-exec")))

extern OMEN_ABI_TLS omen_note *__omen_cursor;

void __omen_note (uint64_t a, uint64_t b, omen_site *site);
void omen_note_taken (uint64_t a, uint64_t b, omen_site *site);

/* One lane of a masked vector access; nothing happened if addr is NULL. */
void __omen_lane (const volatile void *addr, uint64_t value, omen_site *site);

/* Functions. Woven code keeps the depth of a thread's stack of functions: it
   notes ENTER with the new depth and EXIT with the same one. EXIT leaves the
   function of that depth and any deeper one that is still there. Exceptions
   and longjmp leave functions without a note; so where one may arrive (landing
   pads, after setjmp) there is LANDED: functions deeper than that have been
   left. Frames without a landing pad have no event between being unwound and
   that note, so the exits are where they belong.

   Markers are put in before inlining and do not depend on it. Left out: the
   standard library's own functions (std::, __gnu_cxx::), compiler-made ones
   (thunks, initialisers), and the markers of a function that, inlined or a
   leaf, has at most one event and no call inside: it can be no block of
   interest, and the site names it as the function of its event.

   A stack block ends with STACK_FREE or, if that does not come, when the
   function that was innermost at its STACK_ALLOC is left; also when a later
   one overlaps it. */
extern OMEN_ABI_TLS uint64_t __omen_depth;

/* -- Atomics -----------------------------------------------------------------

   The order of the atomic operations on an object is part of a trace, so each
   one stands, unchanged, between two calls:

     t = __omen_atomic_begin (p);       do {
     old = atomicrmw add p, 1;            t = __omen_atomic_peek (p);
     __omen_atomic_rmw (p, old,           v = load atomic p;
                        old + 1,        } while (!__omen_atomic_load (p, v,
                        site, t);                                  site, t));

   How the recorder gets an exact order from that: each object (or a stripe of
   objects) has a counter, odd while a writer is between its calls. `begin`
   waits until it is even and makes it odd by compare-and-swap; the closing
   call makes it the next even number, which is the number of the operation.
   `peek` returns the counter, waiting while it is odd; __omen_atomic_load
   accepts (returns 1) if the counter has not moved, and the number of the read
   is the counter: it comes after the writer of that number and before the
   next; else it returns 0 and the program loads again. So a read makes no
   write of its own, and a woven spin loop scales. An answer that keeps no
   order returns any ticket and 1.

   Volatile and 16-byte atomic loads are bracketed by begin, not repeated.
   A signal handler may run between the two calls and use atomics itself: a
   thread that holds the counter of a stripe lets its own handlers through
   (they get a ticket of 0), and one that was unwound by siglongjmp gives up
   what it still holds in its next call of any kind. */
uint64_t __omen_atomic_peek (const volatile void *addr);
uint32_t __omen_atomic_load (const volatile void *addr, uint64_t value,
                             omen_site *site, uint64_t ticket);
uint64_t __omen_atomic_begin (const volatile void *addr);
void __omen_atomic_store (const volatile void *addr, uint64_t value,
                          omen_site *site, uint64_t ticket);
void __omen_atomic_rmw (const volatile void *addr, uint64_t old,
                        uint64_t value, omen_site *site, uint64_t ticket);
/* `old` is what memory held; not `done`: a read of old, also if it equals what
   was expected (a weak exchange may fail for no reason). */
void __omen_atomic_cas (const volatile void *addr, uint64_t old,
                        uint64_t value, omen_site *site, uint64_t ticket,
                        uint32_t done);
/* Closes begin for 16-byte operations and for volatile loads. Halves that do
   not apply to the site's kind are 0; `done` as above, 1 for other kinds. */
void __omen_atomic_wide (const volatile void *addr, omen_site *site,
                         uint64_t ticket, uint64_t old_low, uint64_t old_high,
                         uint64_t low, uint64_t high, uint32_t done);

/* -- Memory ranges -----------------------------------------------------------

   These do what their names say, and report it: only so are the values exact
   (what is read goes through the record into the destination). `what` says
   which side may be shared. Small ones of constant size are woven as single
   accesses instead, all reads before all writes. */
enum { OMEN_ABI_FROM = 1, OMEN_ABI_TO = 2 };

void __omen_memcpy (void *to, const void *from, uint64_t size,
                    omen_site *site, uint32_t what);
void __omen_memmove (void *to, const void *from, uint64_t size,
                     omen_site *site, uint32_t what);
void __omen_memset (void *to, uint32_t byte, uint64_t size, omen_site *site);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
