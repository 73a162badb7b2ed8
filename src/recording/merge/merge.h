/* Internal interface of the merge (order.h).

   order.c       the main loop: which thread is next
   item.c        whether an item may be appended, and its effect
   numbers.c     sequence numbers and the threads that wait for one
   living.c      live blocks of memory do not overlap
   sums.c        loads that are stored as a checksum
   wanted.c      what an item reads and writes, and when memory had it
   blocked.c     reads whose value is not in memory yet
   explain.c     reads whose value no write explains
   writers.c     the writes that a read may have seen (by races.c)
   ring/ambiguous.c  ambiguous initial values
   try.c         failed tries of locks

   A step is a record in the order so far: an item takes as many steps as it has
   records. Nothing is taken back: a late read is inserted into the past, where
   it changes nothing. */
#ifndef OMEN_RECORDING_MERGE_MERGE_H
#define OMEN_RECORDING_MERGE_MERGE_H

#include "recording/merge/image.h"
#include "recording/merge/living.h"
#include "recording/merge/order.h"

typedef enum omen_merge_state {
  OMEN_MERGE_READY,
  OMEN_MERGE_BLOCKED_READ, /* at a read whose value is not in memory yet */
  OMEN_MERGE_NUMBER,       /* its sequence number is not next */
  OMEN_MERGE_THREAD, /* for its fork, or for the end of the thread that it joins
                      */
  OMEN_MERGE_MEMORY, /* its block overlaps one that is not freed yet */
  OMEN_MERGE_OVER,   /* no more items */
  OMEN_MERGE_DRY,    /* of a growing file: no more items yet */
  OMEN_MERGE_ENDED   /* no order explains its next item */
} omen_merge_state;

typedef struct omen_merge_thread {
  omen_note_cursor cursor;
  omen_merge_state state;
  uint64_t time;  /* of its last TIME item; without one, its position */
  uint64_t after; /* its next item may be inserted from this step on */
  uint64_t *born; /* its fork is in the order, or it has none */
  uint64_t died;  /* its end is in the order */
  /* waiting for a number: */
  uint32_t queue, next_waiter;
  uint64_t number;
  uint64_t
      tried; /* numbers of failed tries before this position have been passed */
  uint64_t given_up; /* position + 1 of a failed try without explanation */
  /* asleep: */
  uint64_t deadline, deadline_step;
  uint64_t round;  /* since then */
  uint64_t taken;  /* notes, see omen_merge_take */
  uint64_t bound;  /* its value was in memory before this time; 0: unknown */
  uint64_t serial; /* up to this position its order relative to others is
                      uncertain: see omen_merge_cut */
  bool unsure; /* its next item reads or writes what a loop recorded as a whole
                  accessed */
  uint64_t given; /* position + 1 of an ALLOC that no longer waits */
  uint64_t sure;  /* position + 1 of such an item that continues after a cut */
} omen_merge_thread;

/* An item put into the past. */
typedef struct omen_insertion {
  uint64_t step;   /* goes before it */
  uint64_t serial; /* of those, which */
  uint32_t thread, notes;
} omen_insertion;

/* Items between two checks of the limits. */
#define OMEN_MERGE_LOOK 4096u

typedef struct omen_merge {
  omen_notes_file *file;
  omen_notes_summary *summary;
  omen_rebuilt *out;
  omen_image image;
  omen_living living;
  omen_merge_thread *threads;
  uint32_t count;
  omen_map index;             /* thread id -> index */
  omen_map born_index;        /* thread id -> born */
  OMEN_VEC (uint64_t *) born; /* of threads that may have no records yet */
  uint64_t step;
  uint64_t items; /* tried so far */
  uint64_t
      *numbers; /* by queue: the next number; for atomics the last writer's */
  uint32_t
      *waiters;    /* by queue: a waiting thread, see next_waiter; OMEN_NONE */
  omen_map passed; /* number of a shard -> 1: it was passed before its turn */
  omen_arena arena;
  omen_map lock_index; /* address -> lock */
  OMEN_VEC (struct omen_merge_lock *) locks;
  OMEN_VEC (uint32_t)
  heap; /* ready threads, a heap with the least time first */
  OMEN_VEC (uint32_t) blocked;
  OMEN_VEC (omen_insertion) insertions;
  omen_map outside_words; /* words of out->outside -> 1 */
  bool serial;            /* cuts wherever threads take turns */
  bool values;            /* they are known */
  omen_map unseen;        /* page -> written with unknown values */
  bool loops;             /* … by loops recorded as a whole */
  struct omen_races
      *ambiguous; /* ring/ambiguous.h; NULL: initial values are not ambiguous */
  struct omen_races *races; /* races.h; computed when a read asks for it */
  bool yields;              /* the running thread lets another one go first */
  uint32_t begun;           /* threads: if mappings are vague (log/mappings.h)
                               there is a cut where the second one begins */
  bool one_log;             /* one log, in the order of the run */
  bool cut;                 /* a limit of the file was reached: no more items */
  /* of a growing file (live.h): */
  bool live;
  bool grew;      /* it has grown for the last time */
  uint64_t round; /* how often more of it was read */
  uint64_t floor; /* steps before this one are fixed, and no longer in `out` */
  OMEN_VEC (uint64_t) marks; /* step of the order at each of the last marks */
  uint32_t room;             /* for threads: the array must not move */
} omen_merge;

/* ---- order.c ---- */
/* `room`: the number of threads to allow for, at least those of the file. */
void omen_merge_init (omen_merge *merge, omen_notes_file *file,
                      omen_notes_summary *summary, omen_rebuilt *rebuilt,
                      uint32_t room);
void omen_merge_fini (omen_merge *merge);
/* Adds the next thread of the file. */
void omen_merge_add (omen_merge *merge);
/* As far as the file goes. */
void omen_merge_run (omen_merge *merge);
/* The order is complete: inserts late reads where they belong. */
void omen_merge_report (omen_merge *merge);
/* Has the thread been forked? */
uint64_t *omen_merge_born (omen_merge *merge, uint64_t id);
/* Inserts `late` into the runs, of which the first begins at `step`. */
void omen_insert_late (omen_rebuilt *rebuilt, uint64_t step,
                       omen_insertion *late, size_t count);
void omen_outside_sort (omen_rebuilt *rebuilt);
void omen_merge_ready (omen_merge *merge, uint32_t t);
/* Removes and returns the ready thread with the least time. */
uint32_t omen_merge_next (omen_merge *merge);
/* t has no more items: threads that join it may go on. */
void omen_merge_over (omen_merge *merge, uint32_t t);
/* Appends the item at the cursor of t to the order. */
void omen_merge_pass (omen_merge *merge, uint32_t t, const omen_item *item);
/* Inserts it into the past, before `step`. */
void omen_merge_insert (omen_merge *merge, uint32_t t, const omen_item *item,
                        uint64_t step);
/* Code that is not recorded changed memory before t's next item. */
void omen_merge_outside (omen_merge *merge, uint32_t t, uint64_t address,
                         uint32_t size);
/* A cut: all that is in the order stays before the rest. It is at t's next
   item, or after the last record of t. */
void omen_merge_cut (omen_merge *merge, uint32_t t, bool after);
/* The value that t read last was written before `hint`, perhaps by an item that
   is not in the order yet: until all threads are past that time they take
   turns, with cuts in between. */
void omen_merge_serial (omen_merge *merge, uint32_t t, uint64_t hint);
/* Was the word changed from outside at some earlier time? */
bool omen_merge_was_outside (const omen_merge *merge, uint64_t address);

/* ---- grow.c ---- */
/* Only a part of the file can be read so far. */
static inline bool
omen_merge_grows (const omen_merge *merge)
{
  return merge->live || merge->grew;
}
/* The file has grown: merges the new part. */
void omen_merge_more (omen_merge *merge);
/* A mark was read: what is read from now on comes after the merge's position at
   the last mark. Returns as `part` (the caller calls fini) the order up to a
   mark that is at least `lag` steps back (0: all), since later parts of the
   file decide the order of racing writes. */
void omen_merge_take (omen_merge *merge, uint64_t lag, omen_rebuilt *part);
/* The file does not grow any more: merges the rest. */
void omen_merge_settle (omen_merge *merge);

/* ---- item.c ---- */
/* Appends the next item of t if possible; else its state says what it waits
   for. */
bool omen_merge_item (omen_merge *merge, uint32_t t, const omen_item *item);
/* Up to 8 bytes are unknown until they are read or written. */
void omen_merge_unsee (omen_merge *merge, uint64_t address, unsigned size);
/* Do all values that the item reads fit memory? */
bool omen_merge_fits (omen_merge *merge, const omen_item *item);

/* ---- numbers.c ---- */
bool omen_numbers_turn (omen_merge *merge, uint32_t t, const omen_item *item);
/* Do its sequence numbers allow it to be appended now? */
bool omen_numbers_may (omen_merge *merge, const omen_item *item);
void omen_numbers_pass (omen_merge *merge, const omen_item *item);
/* All threads wait: releases one that waits for two numbers, in a cycle with
   another such thread. */
bool omen_numbers_relax (omen_merge *merge);

/* ---- sums.c ---- */
/* The load at the cursor of t is the first of several that share a checksum:
   finds out what they read from memory as it is or was. False: not possible
   yet. */
bool omen_sums_resolve (omen_merge *merge, uint32_t t);
/* Would memory as it is now explain them? */
bool omen_sums_fit (omen_merge *merge, uint32_t t);
/* Is one of them of exposed memory that is not known? */
bool omen_sums_exposed (omen_merge *merge, uint32_t t);
/* Is an initial value among them ambiguous (ring/ambiguous.h)? */
bool omen_sums_ambiguous (omen_merge *merge, uint32_t t);
/* All other threads wait: the same, or the values stay unknown if that
   certainly claims nothing wrong. */
bool omen_sums_answer (omen_merge *merge, uint32_t t);
/* Memory that no other thread writes was changed by code that is not
   recorded. */
bool omen_sums_own (omen_merge *merge, uint32_t t);
/* What they read cannot be known: a cut after the first one that races. False:
   t waits before that. */
bool omen_sums_cut (omen_merge *merge, uint32_t t);

/* ---- wanted.c ---- */
/* Limit of changes searched backwards. */
enum { OMEN_MOST_CHANGES = 4096 };
/* The memory that an item reads or changes; length 0: none. */
typedef struct omen_extent {
  uint64_t address, length;
} omen_extent;
bool omen_extents_overlap (omen_extent a, omen_extent b);
omen_extent omen_item_extent (const omen_notes_file *file,
                              const omen_item *item);
/* The value that the item, with this extent, leaves in the bytes that it has of
   the word at `address`; and a bit for each of these bytes. */
uint64_t omen_item_written (const omen_item *item, omen_extent extent,
                            uint64_t address);
unsigned omen_extent_mask (omen_extent extent, uint64_t address);
/* Does it change memory to an unknown value? */
bool omen_item_obscures (const omen_item *item);
/* Part of a word that an item wants: which bytes of it, and their values. */
typedef struct omen_wanted {
  uint64_t address, value;
  unsigned mask;
} omen_wanted;
/* All that the item reads; false: more than one word, or unknown. */
bool omen_wanted_whole (const omen_merge *merge, const omen_item *item,
                        omen_wanted *w);
/* The k-th word that the item reads; false: there is none. */
bool omen_wanted_word (const omen_merge *merge, const omen_item *item,
                       uint64_t k, omen_wanted *w);
/* The word's last change. */
const omen_change *omen_wanted_last (omen_merge *merge, const omen_wanted *w);
/* Did the word have the value before the change? */
bool omen_wanted_before (const omen_change *change, const omen_wanted *w);
/* The item changes memory. */
bool omen_item_writes (const omen_notes_file *file, const omen_item *item);

/* ---- explain.c ---- */
/* Code that is not recorded has changed memory that t reads next. */
void omen_explain_changed (omen_merge *merge, uint32_t t, uint64_t address,
                           uint32_t size);
/* The same after a cut, where t has read *value (NULL: unknown). */
void omen_explain_forget (omen_merge *merge, uint32_t t, uint64_t address,
                          unsigned size, const uint64_t *value);
/* Did code that is not recorded certainly write what the read needs? */
bool omen_explain_is_outside (omen_merge *merge, uint32_t t,
                              const omen_item *item);
/* Code that is not recorded wrote what the blocked read needs; or a try failed
   for an unknown reason. */
void omen_explain_outside (omen_merge *merge, uint32_t t);
/* t's item reads memory that only t writes, so code that is not recorded has
   changed it: the item can go at once. */
bool omen_explain_own (omen_merge *merge, uint32_t t, const omen_item *item);
/* Resolves the blocked read if possible. */
bool omen_explain (omen_merge *merge, uint32_t t);
/* Nothing explains what t reads next, and no other thread can go on: t goes on
   after a cut. */
void omen_explain_cut (omen_merge *merge, uint32_t t);

/* ---- blocked.c ---- */
/* The read at the cursor of t does not fit: inserts it into the past (true), or
   blocks t. */
bool omen_blocked_or_late (omen_merge *merge, uint32_t t,
                           const omen_item *item);
void omen_blocked_add (omen_merge *merge, uint32_t t);
/* If t is blocked at loads that share a checksum, and they can be resolved now:
   resolves them and makes t ready. */
bool omen_blocked_answer_sum (omen_merge *merge, uint32_t t);
/* Nothing in the file explains what the blocked read needs. */
void omen_blocked_answer (omen_merge *merge, uint32_t t);
/* The read cannot be resolved: a cut (order.h) or, where records are lost, the
   end of the thread's usable part. */
void omen_blocked_end (omen_merge *merge, uint32_t t);
/* The first TIME item at `from` or later whose time is at least `time`: its
   position and its time; the end and UINT64_MAX if there is none. */
uint64_t omen_blocked_hint (omen_merge *merge, uint32_t t, uint64_t time,
                            uint64_t *hint);
/* A thread has acquired the lock. */
void omen_blocked_wake_tries (omen_merge *merge, uint32_t taker, uint64_t lock);
/* Memory at [address, address + length) has changed. */
void omen_blocked_wake (omen_merge *merge, uint64_t address, uint64_t length);
/* All threads that are not blocked have come to `time`: resolves reads that
   have been blocked for too long. */
void omen_blocked_expire (omen_merge *merge, uint64_t time);
/* All threads are blocked: resolves something; false: nothing can be done. */
bool omen_blocked_resolve (omen_merge *merge);

/* ---- try.c ---- */
static inline bool
omen_try_is (const omen_item *item)
{
  return item->kind == OMEN_ITEM_TRY_FAIL
         || item->kind == OMEN_ITEM_READ_TRY_FAIL;
}
/* Which thread holds which lock after t's item. True: it takes *lock. */
bool omen_try_follow (omen_merge *merge, uint32_t t, const omen_item *item,
                      uint64_t *lock);
/* Does it fail, and leave the lock as it is? */
static inline bool
omen_try_fails (const omen_item *item)
{
  return omen_try_is (item) || item->kind == OMEN_ITEM_LOCK_FAIL;
}
/* t is blocked at a failed try: the numbers of the failures that follow it are
   passed, too, since the acquire that they came before may wait for one of
   them. False: there are none. */
bool omen_try_ahead (omen_merge *merge, uint32_t t);
/* Is the lock held in a way that makes the try fail? */
bool omen_try_fits (omen_merge *merge, const omen_item *item);
bool omen_try_fail (omen_merge *merge, uint32_t t, const omen_item *item);

#endif
