/* The interface between a woven program and the recorder: the contract between
   the weaver (src/weave) and a listener, which is the recorder (src/runtime),
   the empty functions (off.c) or a test. Plain C; needs only <stdint.h>.

     x = *p;        v = load p;    note (p, v, site)
     *p = x;        store v, p;    note (p, v, site)
     f () { … }     note (d = ++depth, 0, site); … note (d, 0, site'); depth--

   Notes are the frequent part: what a thread does on its own, in program order.
   They are written inline, at a tenth of the cost of a call, and code without
   calls, even with branches, writes a single note:

     if ((int16_t)__omen_cursor > 0)        room in the buffer
       cursor[0] = block; cursor[1] = …     no call, no lock, no atomic
     else if (__omen_cursor != OMEN_CURSOR_DISABLED)
       __omen_note (a, b, site) after each  buffer full, none, or listening

   Everything else is a call: operations that need an order between threads
   (atomics) or copy bytes (memcpy and its family).

   Rules
   - A note or call reports what has just HAPPENED (except names with `begin`
     and `peek`). So a thread that crashes in an access has not reported it.
     Each access is followed by its notes, before the next access: a listener
     that takes every note by __omen_note (cursor NULL) and stops threads there
     controls every interleaving of woven accesses. (The note of a block is
     complete only after its last access: a thread that crashes within a block
     has reported none of it.)
   - Values are exact: the bits that the program itself loaded or stored, never
     read a second time. They are zero-extended to 64 bits; floats, pointers and
     vectors come as their bits, wider accesses in pieces of 8, 4, 2, 1 bytes,
     lower addresses first, bit-fields as the unit that the compiler loads and
     stores. Addresses need not be aligned. Volatile is plain. The values of
     several loads in one note are a weighted sum (omen_code_block), which
     checks them all when the contents of memory are known. Loops noted as a
     whole (__omen_loop) have no values.
   - The weaver adds and does not replace, with one exception: copies and fills
     become calls of __omen_memcpy and its family, which do the work.
   - The order of notes and calls is the order in the compiled program, which
     may differ from the source where the language lets it.
   - Listeners change no memory of the program, preserve errno, and may block.
     They may be called in a signal handler that interrupted a note or another
     call: a recorder gives the handler a cursor of its own, and restores the
     old one after it (a note of the interrupted code may be half written
     there); the events of the handler come first.

   What is not reported
   - accesses to objects that only their own function can reach (locals whose
     address is not passed on; file-local thread-locals likewise), and to
     constants;
   - plain accesses in functions marked no_sanitize("thread") (atomics and
     markers are reported), and everything in functions marked
     disable_sanitizer_instrumentation;
   - what inline assembly does (its memory outputs come as EXTERNAL) and vector
     intrinsics of one processor;
   - initial values: a heap or stack block starts with an unknown value, those
     of globals are in the writable segments when the recorder starts.
   No executed access is left out as redundant, since each has its own value.

   An address in a thread's stack outside of all STACK_ALLOCs belongs to no
   variable (argument areas, frames of uninstrumented functions): readers drop
   accesses to it. */
#ifndef OMEN_WIRE_ABI_H
#define OMEN_WIRE_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Every woven object holds the text "omen-abi 1" in a section of its own;
   the runtime's soname ends in the same number. */
#define OMEN_ABI_TEXT "omen-abi 1"
#define OMEN_ABI_SECTION ".omen"
/* The same for objects of omen cc --only-events, which report no accesses. */
#define OMEN_ABI_ONLY_EVENTS "omen-only-events"
/* Section that is not loaded: names, each with a final zero, of variables whose
   address the object passes on, to functions or into memory. Every object has
   one, perhaps empty. */
#define OMEN_ESCAPING_SECTION ".omen.escaping"
/* Likewise: calls that allocate memory for a struct, class or union, as
   "FUNCTION\nFILE\nLINE\nCOLUMN\nSIZE\nTYPE" with the function's name for the
   linker, the file's last name; the type's size in bytes, and its name as in
   the debug information. */
#define OMEN_ALLOCATED_SECTION ".omen.allocated"

/* Compatibility within a version: an object refers to the symbol
   __omen_needs_runtime_AGE of its age, and a runtime defines those of the ages
   that it supports, so that a program does not start with a runtime that would
   misread it. Increase the age when woven code reports something in a way that
   older runtimes do not know, and add it to those supported; remove ages that
   are not any more. (Objects of age 1 refer to none.) */
#define OMEN_ABI_AGE 5
#define OMEN_ABI_SERVED(x) x (2) x (3) x (4) x (5)
#define OMEN_ABI_NEED(age) OMEN_ABI_NEED_ (age)
#define OMEN_ABI_NEED_(age) __omen_needs_runtime_##age
#define OMEN_ABI_DECLARE_(age) extern const char OMEN_ABI_NEED (age);
#define OMEN_ABI_SERVE_(age) const char OMEN_ABI_NEED (age) = 1;
OMEN_ABI_SERVED (OMEN_ABI_DECLARE_)

/* -- Sites -------------------------------------------------------------------

   A source location that reports something; static data of the woven program,
   in the section "omen_sites". A location may have several (after inlining or
   unrolling). */
/* Each with a and b of its notes. */
enum omen_site_kind {
  OMEN_SITE_LOAD = 1,    /* address, value */
  OMEN_SITE_STORE,       /* address, value */
  OMEN_SITE_ENTER,       /* depth, return address or 0 */
  OMEN_SITE_EXIT,        /* depth, 0 */
  OMEN_SITE_LANDED,      /* depth, 0 */
  OMEN_SITE_STACK_ALLOC, /* address, size */
  OMEN_SITE_STACK_FREE,  /* address, size */
  OMEN_SITE_EXTERNAL,    /* address, size: written by uninstrumented code */
  OMEN_SITE_FENCE,       /* 0, 0: a fence between threads, with `order` */
  OMEN_SITE_INLINED,     /* no notes: the call site of an inlined function */
  OMEN_SITE_BLOCK,       /* no site: the note of an omen_code_block */
  OMEN_SITE_RANGE,       /* memcpy, memmove, memset */
  OMEN_SITE_ATOMIC_LOAD, /* these are calls, with `order` */
  OMEN_SITE_ATOMIC_STORE,
  OMEN_SITE_ATOMIC_RMW,
  OMEN_SITE_ATOMIC_CAS, /* and `failure` */
  OMEN_SITE_JOIN_POINT, /* no notes: a join point */
  OMEN_SITE_CALLED      /* return address, 0 */
};
/* As omen_order in wire/event.h. */
enum omen_site_order {
  OMEN_SITE_SC,
  OMEN_SITE_RELAXED,
  OMEN_SITE_ACQUIRE,
  OMEN_SITE_RELEASE,
  OMEN_SITE_ACQ_REL
};

/* What is surely done with an address that is loaded, whatever it is. */
enum omen_site_use {
  OMEN_SITE_UNUSED,   /* nothing is known */
  OMEN_SITE_FOLLOWED, /* memory there is used */
  OMEN_SITE_FREED     /* if it is not 0, it is given to free */
};

typedef struct omen_site {
  uint8_t kind;    /* omen_site_kind */
  uint8_t size;    /* of the access in bytes: 1 to 8, atomics to 16 */
  uint8_t order;   /* omen_site_order */
  uint8_t failure; /* omen_site_order of a failed compare-exchange; LOAD:
                      omen_site_use */
  uint32_t line, column;
  /* Distances in bytes from the start of this struct; 0: none. */
  int32_t function; /* "name\nfile\nline" of the source function */
  int32_t file;     /* file of `line`, as the compiler was given it */
  int32_t caller;   /* site of kind INLINED: where `function` was inlined */
  int32_t name;     /* STACK_ALLOC, STACK_FREE: the variable; LOAD, STORE and
                       atomics: an omen_depend */
  uint32_t id;      /* 0; free for the recorder to use */
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

/* -- Dependences -------------------------------------------------------------

   The dependences of a site's accesses, if the weaver was asked for them
   (OMEN_WEAVE contains the word depend; see doc/weaving.md for the guarantees).
   Sites with the same unit and number belong to one access in the code. A FREE
   read affects only the accesses of its thread that have its number in `on`;
   after any other read, everything depends on it. */
enum { OMEN_DEPEND_FREE = 1 };
#define OMEN_DEPEND_MAX 64

typedef struct omen_depend {
  int32_t unit; /* distance from this struct to an address that is unique to the
                   compilation */
  uint32_t number; /* of the access, from 1 */
  uint32_t flags;  /* OMEN_DEPEND_* */
  uint32_t count;  /* at most OMEN_DEPEND_MAX */
  uint32_t on[];   /* numbers of free reads */
} omen_depend;

static inline int
omen_site_is_access (const omen_site *site)
{
  return site->kind == OMEN_SITE_LOAD || site->kind == OMEN_SITE_STORE
         || (site->kind >= OMEN_SITE_ATOMIC_LOAD
             && site->kind <= OMEN_SITE_ATOMIC_CAS);
}

static inline const omen_depend *
omen_site_depend (const omen_site *site)
{
  return site->name && omen_site_is_access (site)
             ? (const omen_depend *)((const char *)site + site->name)
             : NULL;
}

/* -- Notes -------------------------------------------------------------------

   The cursor of a thread is where its next note goes, unless its lower 16 bits,
   taken as a signed number, are 0 or less. It starts as NULL. A buffer is thus
   the first half of an aligned 64 KiB without its first word, and what begins
   in it may end up to OMEN_BLOCK_WORDS words later. __omen_note takes a note
   for which there is no room, and may be called even if there is room
   (unoptimised code always calls it). It may set the cursor of its own thread;
   to OMEN_CURSOR_DISABLED if notes are disabled from then on: optimised code
   then runs as if it were not woven, apart from checking the cursor.

   __omen_disabled disables notes permanently for the whole process: it is set
   before any woven code runs, or never. Optimised functions are then unchanged
   except for this check and their atomics (src/weave/plain_copy.cpp).

   __omen_note keeps all general registers but r11 (clang's preserve_most), so
   that the code around a note need not save any: note.S saves them and calls
   omen_note_taken, a plain C function that the listener defines. */
typedef struct omen_note {
  omen_site *site;
  uint64_t a, b;
} omen_note;

#define OMEN_NOTE_SPAN 65536
#define OMEN_NOTE_HALF 32768

/* Points to no buffer, and has no room. */
#define OMEN_CURSOR_DISABLED ((uint64_t *)OMEN_NOTE_HALF)

#define OMEN_ABI_TLS __thread __attribute__ ((tls_model ("initial-exec")))

extern OMEN_ABI_TLS uint64_t *__omen_cursor;
extern uint32_t __omen_disabled;

/* Is there room for a note at the cursor? */
static inline int
omen_cursor_ready (const uint64_t *cursor)
{
  return (int16_t)(uintptr_t)cursor > 0;
}

void __omen_note (uint64_t a, uint64_t b, omen_site *site);
void omen_note_taken (uint64_t a, uint64_t b, omen_site *site);

/* Several notes in one: its first word points to an omen_code_block instead of
   a site (the first byte distinguishes them), then come `words` - 1 more.
   Members are in the order of the code. Member m stands for the note:

     site   the block's address + m.site
     a      words[m.base] + m.offset (+ omen_member_way)
     b      m.word ? its value in words[m.word] : m.constant

   A member without base is the ENTER or EXIT of an inlined function: its depth
   is that of the innermost function that was not inlined, and the offset. Its a
   is OMEN_DEPTH_INNER + m.offset.

   A member with a word may have OMEN_MEMBER_STEPS (step, times) as its
   constant: addresses in equal steps are given by the first one and the step,
   which is a word among the bases. Or OMEN_MEMBER_NEAR (step, shift, bits): the
   address is so close to another one that a few bits of such a word, shared by
   several members, give the distance, as in p += a < b.

   Small stored values share words, side by side: a value is words[m.word] >>
   m.shift, up to the next shift that a member has in that word.

   A load whose value is stored unchanged has the word of the store. All other
   loads share the last word. If their sizes fit into it, they are side by side
   in it, and m.weight is 0 (as for members that are no loads). Otherwise each
   has a weight, and the word is

     sum of omen_weights[m.weight - 1] * value      modulo 2^64

   from which a reader that knows the values at all addresses but one can
   compute that one, or decide which of several writes of other threads were
   seen; see doc/recording.md. Weights are odd and random.

   If the code branches, each path through it has a block of its own. */
typedef struct omen_member {
  int32_t site, offset;
  uint32_t constant;
  uint8_t base, word, shift, weight;
} omen_member;

#define OMEN_DEPTH_INNER (UINT64_C (1) << 63)

#define OMEN_MEMBER_STEPS(step, times)                                         \
  ((uint32_t)(step) | (uint32_t)(times) << 8)
#define OMEN_MEMBER_NEAR(step, shift, bits)                                    \
  (OMEN_MEMBER_STEPS (step, 1) | (uint32_t)(shift) << 16                       \
   | (uint32_t)(bits) << 24)

/* The addend of a member's address: `times` these bits of word `step`. */
static inline unsigned
omen_member_step (uint32_t constant, uint8_t word)
{
  return word ? constant & 0xff : 0;
}

static inline uint32_t
omen_member_times (uint32_t constant, uint8_t word)
{
  return word ? constant >> 8 & 0xff : 0;
}

static inline unsigned
omen_member_way_shift (uint32_t constant, uint8_t word)
{
  return word ? constant >> 16 & 0xff : 0;
}

static inline unsigned
omen_member_way_bits (uint32_t constant, uint8_t word)
{
  unsigned bits = word ? constant >> 24 : 0;
  return bits ? bits : 64;
}

static inline uint64_t
omen_member_way (const omen_member *m, const uint64_t *words)
{
  uint64_t way = words[omen_member_step (m->constant, m->word)]
                 << (64 - omen_member_way_bits (m->constant, m->word)
                     - omen_member_way_shift (m->constant, m->word));
  return omen_member_times (m->constant, m->word)
         * (way >> (64 - omen_member_way_bits (m->constant, m->word)));
}

typedef struct omen_code_block {
  uint8_t kind;   /* OMEN_SITE_BLOCK */
  uint8_t words;  /* of a note, at most OMEN_BLOCK_WORDS */
  uint8_t bases;  /* words 1 … bases: addresses (or depths), steps */
  uint8_t loads;  /* number of loads in the last word; or OMEN_BLOCK_LOOP */
  uint32_t count; /* members, 2 to OMEN_BLOCK_NOTES */
  uint32_t id;    /* 0; free for the recorder to use */
  omen_member members[];
} omen_code_block;

#define OMEN_BLOCK_NOTES 32
#define OMEN_BLOCK_LOADS 16
#define OMEN_BLOCK_WORDS (2 * OMEN_BLOCK_NOTES + 2)

/* A loop noted as a whole (below): a block with OMEN_BLOCK_LOOP as its `loads`,
   whose words are all bases. The last word is the number of iterations. In
   iteration i, from 0, member m stands for the note:

     site   the block's address + m.site
     a      words[m.base] + m.offset + i * step
     b      nothing: the value is not known
     step   m.word ? words[m.word] : (int32_t)m.constant

   all members of iteration 0 first, then all of iteration 1, and so on. */
#define OMEN_BLOCK_LOOP 255
#define OMEN_LOOP_MEMBERS 128 /* at most */

static inline uint64_t
omen_member_stride (const omen_member *m, const uint64_t *words)
{
  return m->word ? words[m->word] : (uint64_t)(int64_t)(int32_t)m->constant;
}

/* The first half is for the loads of a block; the second for readers that add
   up the sums of several. */
static const uint64_t omen_weights[2 * OMEN_BLOCK_LOADS] = {
  0x2cb0f69f4abea221, 0x9417034723148989, 0xdd555950609dfe03,
  0xdbafb150deb12801, 0x7e789b2e6c442cb7, 0xf41e5636c7e4f8c5,
  0x0959d150f8fba7e5, 0xa97316f13cdb9eeb, 0x74cd8258f9520069,
  0x55c74a62e116868b, 0xd2f4c799a2023cbd, 0xdf98cb79a37b51b9,
  0x396f5885524f3905, 0xaf1d56386ca3b277, 0xa9ffbe6b5104e85b,
  0x6bd0c51b9fd533b3, 0x980ce91c50ab4b57, 0x28ac395780fe62c5,
  0x768912e3a6bcedc7, 0x50b3e8c9332c7c89, 0xce3bbfe520bd47db,
  0xcba6c8e8e0bb7c4f, 0xbf194db8434a346d, 0x7d8f2a7b60416d7f,
  0x0849d1f6e0e10a5f, 0x7654b590d064e22f, 0x16d1da9507df3af3,
  0xf63aef1089ea30e5, 0x9ade6673cc6c522b, 0x4c75bc274e37087d,
  0xd35e12b49f51f27b, 0x22ddf2ffcee481eb,
};

/* Loops. An innermost loop without calls or atomics, with one exit, an
   iteration count that is known at its start, and accesses with constant
   strides exists in two versions if code is optimised for speed. If
   __omen_loops is not 0 and there are at least OMEN_LOOP_LEAST accesses, it
   runs as the optimiser left it (vectorised, for example) and is noted when
   it has ended, by the words that follow the block in its note. In the
   other version each access is noted. Both make the same accesses in the
   same order. */
#define OMEN_LOOP_LEAST 128
extern uint32_t __omen_loops;
void __omen_loop (void *block, ...);

/* One lane of a masked vector access; a lane that is masked out has addr
   NULL. */
void __omen_lane (const volatile void *addr, uint64_t value, omen_site *site);

/* Functions. Woven code maintains the depth of the thread's call stack: it
   notes ENTER with the new depth and EXIT with the same one. The depth of an
   inlined function may be OMEN_DEPTH_INNER plus its depth relative to the
   function that contains it. EXIT leaves the function of that depth and any
   deeper ones. The return address of ENTER is that of the call; 0 if the
   function was inlined (then the site's caller gives the location) or it is
   unknown. Exceptions and longjmp leave functions without a note; so there is a
   LANDED note where they may arrive (landing pads, after setjmp): all deeper
   functions have been left. Frames without a landing pad have no event between
   being unwound and that note, so the exits are at the right point.

   Markers are put in before inlining and do not depend on it. Left out: the
   standard library's own functions (std::, __gnu_cxx::), compiler-made ones
   (thunks, initialisers), and the markers of a function that, inlined or a
   leaf, has at most one event and no call inside: it is irrelevant as a block,
   and the site names it as the function of its event. If such a leaf was not
   inlined, a CALLED note with the return address precedes its event.

   A stack block ends with STACK_FREE or, without one, when the function
   that was innermost at its STACK_ALLOC is left, or when a later block
   overlaps it. */
extern OMEN_ABI_TLS uint64_t __omen_depth;

/* -- Atomics -----------------------------------------------------------------

   The order of the atomic operations on an object is part of a trace, so each
   operation is left unchanged, between two calls:

     t = __omen_atomic_begin (p);       do {
     old = atomicrmw add p, 1;            t = __omen_atomic_peek (p);
     __omen_atomic_rmw (p, old,           v = load atomic p;
                        old + 1,        } while (!__omen_atomic_load (p, v,
                        site, t);                                  site, t));

   How the recorder gets an exact order from that: each object (or a shard of
   objects) has a counter, odd while a writer is between its calls. `begin`
   waits until it is even and makes it odd by compare-and-swap; the closing call
   makes it the next even number, which is the number of the operation. `peek`
   returns the counter, waiting while it is odd; __omen_atomic_load accepts
   (returns 1) if the counter has not moved, and the number of the read is the
   counter: it comes after the writer with that number and before the next one;
   otherwise it returns 0 and the program loads again. So reads write nothing
   shared, and woven spin loops scale. A listener that keeps no order returns
   any ticket and 1.

   Volatile and 16-byte atomic loads are bracketed by begin, not repeated. A
   signal that comes between the two calls of a writer is handled after the
   second: what its handler reads may have been written between them. If the
   operation itself faults, the counter is released before the handler runs,
   which may never return. */
uint64_t __omen_atomic_peek (const volatile void *addr);
uint32_t __omen_atomic_load (const volatile void *addr, uint64_t value,
                             omen_site *site, uint64_t ticket);
uint64_t __omen_atomic_begin (const volatile void *addr);
void __omen_atomic_store (const volatile void *addr, uint64_t value,
                          omen_site *site, uint64_t ticket);
void __omen_atomic_rmw (const volatile void *addr, uint64_t old, uint64_t value,
                        omen_site *site, uint64_t ticket);
/* `old` is the previous value. If not `done`, the operation was a read of
   `old`, which may equal the expected value (a weak exchange may fail
   spuriously). */
void __omen_atomic_cas (const volatile void *addr, uint64_t old, uint64_t value,
                        omen_site *site, uint64_t ticket, uint32_t done);
/* Ends 16-byte operations and volatile loads. Halves that do not apply to the
   site's kind are 0; `done` as above, 1 for other kinds. */
void __omen_atomic_wide (const volatile void *addr, omen_site *site,
                         uint64_t ticket, uint64_t old_low, uint64_t old_high,
                         uint64_t low, uint64_t high, uint32_t done);

/* -- Memory ranges -----------------------------------------------------------

   These perform the operation and report it, so that the values are exact (what
   is read goes through the record to the destination). `what` says which side
   may be shared. Small ranges of constant size are woven as single accesses
   instead, all reads before all writes. */
enum { OMEN_ABI_FROM = 1, OMEN_ABI_TO = 2 };

void __omen_memcpy (void *to, const void *from, uint64_t size, omen_site *site,
                    uint32_t what);
void __omen_memmove (void *to, const void *from, uint64_t size, omen_site *site,
                     uint32_t what);
void __omen_memset (void *to, uint32_t byte, uint64_t size, omen_site *site);

/* -- Moments -----------------------------------------------------------------

   A join point: an event of a property, woven into the program where one of its
   pointcuts matches (omen cc --spec). Static data in the section
   "omen_moments"; numbers are those of the property file, whose text has the
   hash `spec`. While __omen_moments is not 0 the program calls __omen_moment
   there, with `count` values of what the event binds:

     before call(list_add(c, ..))        if (__omen_moments)
     list_add (l, 7);                      __omen_moment (&moment, { l });
                                         list_add (l, 7); */
typedef struct omen_join_point {
  uint64_t spec;
  uint32_t property, event, cut;
  uint32_t count;
  uint32_t pointers; /* bit i: value i is a pointer */
  uint32_t thread;   /* value thread - 1 is the id of the thread, not a value of
                        the program */
  /* Distances in bytes from the start of this struct. */
  int32_t text; /* as for OMEN_EVENT: "create, c, i" */
  int32_t site; /* an omen_site */
  /* 0; free for the listener to use */
  void *known;
  uint64_t short_way;
} omen_join_point;

/* A variable of a property's state predicates, in the object that defines it;
   in the section "omen_watched". */
typedef struct omen_watched_variable {
  uint64_t spec;
  uint32_t property, number; /* by order in the formulas */
  const volatile void *address;
  uint32_t size, is_signed; /* OMEN_WATCHED_REAL: a float or double */
} omen_watched_variable;
#define OMEN_WATCHED_REAL 2

extern uint32_t __omen_moments;
void __omen_moment (void *moment, const void *values);

/* Around inline assembly that may synchronise, for each address that it is
   given (also called by omen.h): everything before `before` happens before
   everything after a later `after` of the same address. */
void __omen_note_before (const volatile void *addr);
void __omen_note_after (const volatile void *addr);

/* -- Code that is not woven --------------------------------------------------

   What an uninstrumented library does is not seen, and it may synchronise. So
   woven code reports when control enters and leaves it. A call of a function
   that may be in another module, and a function that other modules may call:

     L = slot == OMEN_SLOT_HOME ? NULL      L = __omen_inside
         : __omen_out (f, &slot, 1);        if (L) __omen_in (L);
     f (…);                                 …
     if (L) __omen_in (L);                  if (L) __omen_back (L);

   __omen_out returns the uninstrumented library that contains f. If there is
   none, it returns NULL and sets the slot, initially 0, to OMEN_SLOT_HOME (for
   calls through pointers: to the address, which is compared with it), so that
   it is not called again. Otherwise control is inside the library L, as after
   __omen_back: __omen_inside is L until __omen_in. Where an exception or
   longjmp may arrive (LANDED), __omen_in is called, too, if __omen_inside is
   not NULL. Threads that a library creates begin inside it. */
#define OMEN_SLOT_HOME 1

extern OMEN_ABI_TLS void *__omen_inside;
void *__omen_out (const volatile void *callee, void *slot, uint32_t direct);
void __omen_in (void *library);
void __omen_back (void *library);
/* Called after functions that create threads or free memory, if
   AddressSanitizer is used, too: threads cannot be stopped inside its
   functions. `none` is NULL. */
void __omen_after (const volatile void *none);

static inline const char *
omen_join_point_text (const omen_join_point *point)
{
  return (const char *)point + point->text;
}

static inline const omen_site *
omen_join_point_site (const omen_join_point *point)
{
  return (const omen_site *)((const char *)point + point->site);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
