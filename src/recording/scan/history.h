/* The history of a word of memory: which segments used it last, as far as that
   matters for later uses, in a walk in an order that must-order allows. Few
   histories are distinct, so they are interned and numbered, and the successor
   of a history under a read or write of the current segment is cached.

     h = omen_history_after (histories, h, OMEN_DONE_WRITE);

   A segment is the part of a thread between two forks, joins or barriers during
   which it holds the same locks: must-order has all of it before a later event,
   or nothing.

   Two uses conflict if one writes and must-order does not order them. The
   conflict is
     - open (OMEN_HISTORY_OPEN, permanently): another run may have the uses in
       the other order, or at once; or
     - guarded, if both hold a lock, one of them exclusively: another run may
       have them in the other order.
   Locks do not guard against the end of a block of memory.

   A use is dropped from the history when a later use conflicts with everything
   that it would conflict with and holds no lock that it does not hold. Atomic
   operations count as holding a lock that only atomics hold. */
#ifndef OMEN_RECORDING_SCAN_HISTORY_H
#define OMEN_RECORDING_SCAN_HISTORY_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  OMEN_HISTORY_NONE, /* not used yet */
  OMEN_HISTORY_OPEN
};

/* Kinds of use, and flags that a history accumulates. */
enum omen_done {
  OMEN_DONE_READ = 0,
  OMEN_DONE_WRITE = 1,
  OMEN_DONE_LIFE = 2,    /* … where no lock helps */
  OMEN_DONE_RENEW = 4,   /* a block begins */
  OMEN_DONE_OWN = 8,     /* … the thread's own: uses by others are emitted */
  OMEN_DONE_GONE = 16,   /* the block has ended: other threads may not use it */
  OMEN_DONE_ATOMIC = 32, /* a read or write */
  OMEN_DONE_GUARDED = 64,
  OMEN_DONE_TOLD = 128,     /* its events are emitted, though it is not open */
  OMEN_DONE_FOLLOWED = 256, /* a read of a value that is dereferenced */
  /* the start of a heap block, of locals; the end of either */
  OMEN_DONE_MAKE = OMEN_DONE_WRITE | OMEN_DONE_RENEW,
  OMEN_DONE_RAW = OMEN_DONE_MAKE | OMEN_DONE_LIFE, /* nothing is in it yet */
  OMEN_DONE_LOCAL = OMEN_DONE_RAW | OMEN_DONE_OWN,
  OMEN_DONE_END = OMEN_DONE_LOCAL | OMEN_DONE_GONE
};

typedef struct omen_segment {
  uint32_t thread, clock, locks;
} omen_segment;

/* A use. */
typedef struct omen_history_member {
  uint32_t segment, done;
} omen_history_member;

typedef struct omen_history {
  uint32_t first, count; /* members */
  uint32_t owner;        /* thread + 1; 0: not owned by a thread */
  uint32_t done;         /* flags (omen_done) */
} omen_history;

/* What follows a history. */
typedef struct omen_history_step {
  uint32_t segment; /* the segment for which `next` is valid */
  uint32_t next[5]; /* after READ, WRITE, RAW, LOCAL, END; NONE: unknown */
} omen_history_step;

typedef struct omen_history_set {
  uint32_t first, count; /* locks */
} omen_history_set;

typedef struct omen_word_histories {
  OMEN_VEC (omen_history) list;
  OMEN_VEC (omen_history_step) steps; /* by history */
  OMEN_VEC (omen_history_member) members;
  omen_map index; /* what is in it -> history */
  OMEN_VEC (omen_segment) segments;
  omen_map segment_of;
  OMEN_VEC (omen_history_set) sets; /* of locks; 0 is empty */
  omen_ids locks;                   /* 2 * lock + exclusive, ascending */
  omen_map set_of, moves;           /* moves: (set, lock …) -> set */
  OMEN_VEC (omen_history_member) room;
  omen_ids last; /* by thread: entry of room + 1, while uses are merged */
  /* at work: */
  uint32_t segment, guarded; /* guarded: the segment with the lock of atomics */
  uint32_t thread, locked;
  const uint32_t *clocks; /* by thread: its segments up to this come before */
} omen_word_histories;

void omen_histories_init (omen_word_histories *histories);
void omen_histories_fini (omen_word_histories *histories);

/* The segment of the thread at this clock, holding this set of locks. */
uint32_t omen_histories_segment (omen_word_histories *histories,
                                 uint32_t thread, uint32_t clock,
                                 uint32_t locks);
/* Makes a segment the current one; to be repeated when `clocks` has changed. */
void omen_histories_set (omen_word_histories *histories, uint32_t segment,
                         const uint32_t *clocks);

/* The set with a lock added; locks are numbered from 1. */
uint32_t omen_histories_take (omen_word_histories *histories, uint32_t set,
                              uint32_t lock, bool exclusive);
uint32_t omen_histories_give (omen_word_histories *histories, uint32_t set,
                              uint32_t lock, bool exclusive);

uint32_t omen_history_find (omen_word_histories *histories, uint32_t history,
                            unsigned done);

/* A plain read or write. */
static inline uint32_t
omen_history_after (omen_word_histories *histories, uint32_t history,
                    unsigned done)
{
  const omen_history_step *step = &histories->steps.data[history];
  if (step->segment == histories->segment && step->next[done] != OMEN_NONE)
    return step->next[done];
  return omen_history_find (histories, history, done);
}

#endif
