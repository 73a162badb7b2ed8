/* What has been done to a word of memory so far, as far as it matters for what
   comes, in a walk in an order that must-order allows: who has used it last, in
   which segments. There are few different ones; each has a number, and what
   follows a history when the segment at work reads or writes is looked up.

     h = omen_history_after (histories, h, OMEN_DONE_WRITE);

   A segment is what a thread does from one fork, join or barrier to the next,
   as long as it holds the same locks: must-order has all of it before what
   comes after its end, or nothing.

   Two uses conflict if one writes and nothing orders them. That is
   - open (OMEN_HISTORY_OPEN, for good): another run may have them in the other
     order, or at once; or
   - guarded, if both hold a lock, one of them exclusively: another run may have
     them in the other order.
   Where a block of memory ends no lock helps.

   A use stays in the history until one comes that is after it and in conflict
   with all that it would be in conflict with, under no other lock. Atomic
   operations all hold a lock that nobody else holds. */
#ifndef OMEN_RECORDING_SCAN_HISTORY_H
#define OMEN_RECORDING_SCAN_HISTORY_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  OMEN_HISTORY_NONE, /* nobody has used it */
  OMEN_HISTORY_OPEN
};

/* What is done, and what a history says of all of it. */
enum omen_done {
  OMEN_DONE_READ = 0,
  OMEN_DONE_WRITE = 1,
  OMEN_DONE_LIFE = 2,  /* … where no lock helps */
  OMEN_DONE_RENEW = 4, /* a block begins */
  OMEN_DONE_OWN = 8,   /* … that is the thread's own: what others do is told */
  OMEN_DONE_GONE = 16, /* it is no more: others may not use it */
  OMEN_DONE_ATOMIC = 32, /* a read or write */
  OMEN_DONE_GUARDED = 64,
  OMEN_DONE_TOLD = 128,     /* its events are wanted, though it is not open */
  OMEN_DONE_FOLLOWED = 256, /* a read of what is surely used as an address */
  /* blocks of the heap; of locals; both end alike */
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
  uint32_t owner;        /* thread + 1; 0: all may use it */
  uint32_t done;         /* of all of it, or of what made it the owner's */
} omen_history;

/* What follows a history. */
typedef struct omen_history_step {
  uint32_t segment; /* of the one at work, when this was found out */
  uint32_t next[5]; /* after READ, WRITE, RAW, LOCAL, END; OMEN_NONE: not
                       known */
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
  omen_ids last; /* by thread: entry of room + 1, while it is thinned out */
  /* at work: */
  uint32_t segment, guarded; /* guarded: the same for atomics */
  uint32_t thread, locked;
  const uint32_t *clocks; /* by thread: segments up to this come before */
} omen_word_histories;

void omen_histories_init (omen_word_histories *histories);
void omen_histories_fini (omen_word_histories *histories);

/* The segment of the thread at this time, with these locks. */
uint32_t omen_histories_segment (omen_word_histories *histories,
                                 uint32_t thread, uint32_t clock,
                                 uint32_t locks);
/* This one is at work; to be said again when the clocks have changed. */
void omen_histories_set (omen_word_histories *histories, uint32_t segment,
                         const uint32_t *clocks);

/* Sets of locks; locks are numbered from 1. */
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
