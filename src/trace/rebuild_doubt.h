/* What memory held when a recording began that has lost its beginning, if
   threads ran freely (notes_late.h).

     T1   r(x=5) …            was x 5 at the start? Not if T1 read what T2
   wrote, T2   … w(x=5)            which the merge has not come to yet

   A read of bytes of which nothing is known tells what they held if no other
   thread writes the same there without being ordered after the read, by
   numbers, forks and joins. If one does, the read waits until that write is in
   the order: to have seen it is possible in any case. If that does not come to
   an end nobody knows, and the usable part of the thread ends there.

   Loads of which only the sum is known are not settled with the help of bytes
   that are not known if another thread writes any of their bytes without being
   ordered with them.

   Found in advance: which words have accesses that race, and all writes to
   these, with the time of each as a clock for every thread. Cost: the recording
   is read three times more; 40 bytes for each word that is used, and for each
   write to one that races. */
#ifndef OMEN_TRACE_REBUILD_DOUBT_H
#define OMEN_TRACE_REBUILD_DOUBT_H

#include "trace/rebuild_merge.h"
#include "trace/rebuild_sums.h"

/* A write to some bytes of a word that races with something. */
typedef struct omen_doubt_write {
  uint64_t word;     /* address / 8 */
  uint64_t position; /* of its item */
  uint64_t value;
  uint32_t thread, time; /* time: entry of `times` */
  uint8_t mask;
  bool any; /* its value is not known */
} omen_doubt_write;

/* When something happened: the thread's own clock, and how far it was after
   each other one. */
typedef struct omen_doubt_time {
  uint32_t clock;
  const uint32_t *after; /* by thread: clocks up to this come before */
} omen_doubt_time;

typedef struct omen_doubt_ticks {
  OMEN_VEC (uint64_t) at; /* positions from which on its clock is one more */
} omen_doubt_ticks;

typedef struct omen_doubt {
  uint32_t threads;
  omen_doubt_ticks *ticks;            /* by thread */
  omen_map racing;                    /* word -> first of its writes */
  OMEN_VEC (omen_doubt_write) writes; /* by word */
  omen_map time_of;                   /* (thread, clock) -> entry of times */
  OMEN_VEC (omen_doubt_time) times;
  omen_arena arena;
} omen_doubt;

/* ---- rebuild_doubt_find.c ---- */
/* Of a file that is doubtful; NULL: failed. */
omen_doubt *omen_doubt_new (omen_notes_file *file);
void omen_doubt_free (omen_doubt *doubt);

/* ---- rebuild_doubt.c ---- */
/* Can the item of t, which reads, not go yet, though it fits? */
bool omen_doubt_read (omen_merge *merge, uint32_t t, const omen_item *item);
/* Does another thread write some of its bytes, in an order that is not certain?
 */
bool omen_doubt_source (omen_merge *merge, uint32_t t, const omen_item *item);
/* Can nothing be said of the loads of a sum, some of which are not known? */
bool omen_doubt_sum (omen_merge *merge, uint32_t t, const omen_sum *sum);

#endif
