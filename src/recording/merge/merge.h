/* Inside the merge (order.h): its state and what its parts offer.

     order.c    who is next: the main loop
     item.c     may the next item of a thread go, and what it does
     numbers.c  shards and who waits for a number
     sums.c     loads of which only the sum is known
     wanted.c   what an item reads, and when it was there
     sleep.c    reads whose value is not there
     explain.c  … and does not come, either
     writers.c  … and who may have written it, by races.c
     ring/doubt.c    … or may have come from what is not in the order yet
     try.c      failed tries of locks

   A step is a note in the order made so far: item after item, each takes as
   many steps as it has notes. Nothing is taken back: what is late goes into the
   past, if it changes nothing. */
#ifndef OMEN_RECORDING_MERGE_MERGE_H
#define OMEN_RECORDING_MERGE_MERGE_H

#include "recording/merge/image.h"
#include "recording/merge/order.h"

typedef enum omen_merge_state {
  OMEN_MERGE_READY,
  OMEN_MERGE_ASLEEP, /* at a read whose value is not there */
  OMEN_MERGE_NUMBER, /* its number's turn has not come */
  OMEN_MERGE_THREAD, /* for its fork, or for the end of whom it joins */
  OMEN_MERGE_OVER,   /* no more items */
  OMEN_MERGE_DRY,    /* of a file that grows: none yet */
  OMEN_MERGE_ENDED   /* no order explains its next item */
} omen_merge_state;

typedef struct omen_merge_thread {
  omen_note_cursor cursor;
  omen_merge_state state;
  uint64_t time;  /* of its last TIME item; without, how far it is */
  uint64_t after; /* the step from which on its next item may be put */
  uint64_t *born; /* its fork is in the order, or it has none */
  uint64_t died;  /* its end is in the order */
  /* waiting for a number: */
  uint32_t queue, next_waiter;
  uint64_t number;
  uint64_t tried; /* before this position the numbers of failures are passed */
  uint64_t given_up; /* position + 1 of a failed try that is not explained */
  /* asleep: */
  uint64_t deadline, deadline_step;
  uint64_t round;  /* since then */
  uint64_t taken;  /* notes, see omen_merge_take */
  uint64_t bound;  /* what it reads was before that; 0: not looked for */
  uint64_t serial; /* before this position the order is not known well enough
                      for others: see omen_merge_cut */
  bool unsure;     /* at what a loop that was noted whole read or wrote */
  uint64_t sure;   /* position + 1 of such an item that goes on, with a cut */
} omen_merge_thread;

/* An item put into the past. */
typedef struct omen_insertion {
  uint64_t step;   /* goes before it */
  uint64_t serial; /* of those, which */
  uint32_t thread, notes;
} omen_insertion;

/* Items from one look at the limits to the next. */
#define OMEN_MERGE_LOOK 4096u

typedef struct omen_merge {
  omen_notes_file *file;
  omen_notes_summary *summary;
  omen_rebuilt *out;
  omen_image image;
  omen_merge_thread *threads;
  uint32_t count;
  omen_map index;             /* thread id -> index */
  omen_map born_index;        /* thread id -> born */
  OMEN_VEC (uint64_t *) born; /* of threads that may have no notes yet */
  uint64_t step;
  uint64_t items;    /* tried so far */
  uint64_t *numbers; /* by queue: the next one; atomics: the last writer's */
  uint32_t *waiters; /* by queue: a thread, see next_waiter; OMEN_NONE */
  omen_map passed;   /* number of a shard -> it went before its turn: 1 */
  omen_arena arena;
  omen_map lock_index; /* address -> lock */
  OMEN_VEC (struct omen_merge_lock *) locks;
  OMEN_VEC (uint32_t) heap; /* of ready threads, least time first */
  OMEN_VEC (uint32_t) sleepers;
  OMEN_VEC (omen_insertion) insertions;
  omen_map outside_words; /* words of out->outside -> 1 */
  bool serial;            /* cuts wherever threads take turns */
  bool values;            /* they are known */
  omen_map unseen;        /* page -> somebody wrote there, nobody knows what */
  bool loops;             /* … in loops that were noted whole */
  struct omen_races *doubt; /* ring/doubt.h; NULL: all is as it seems */
  struct omen_races *races; /* races.h; found when a read asks for it */
  bool yields;              /* the running thread lets another one go first */
  bool one_log;             /* in the order in which it happened */
  bool cut;                 /* the file's limits were reached: no more items */
  /* of a file that grows (live.h): */
  bool live;
  bool grew;      /* it did, and does not any more */
  uint64_t round; /* how often more of it was read */
  uint64_t floor; /* what comes before this step is fixed, and not in `out`
                     any more */
  OMEN_VEC (uint64_t) marks; /* steps where it was at the last ones */
  uint32_t room;             /* for threads: they may not move */
} omen_merge;

/* ---- order.c ---- */
/* `room`: for so many threads, at least those of the file. */
void omen_merge_init (omen_merge *merge, omen_notes_file *file,
                      omen_notes_summary *summary, omen_rebuilt *rebuilt,
                      uint32_t room);
void omen_merge_fini (omen_merge *merge);
/* The next thread of the file. */
void omen_merge_add (omen_merge *merge);
/* As far as the file goes. */
void omen_merge_run (omen_merge *merge);
/* The order is complete: late reads are put where they belong. */
void omen_merge_report (omen_merge *merge);
/* Has the thread been forked? */
uint64_t *omen_merge_born (omen_merge *merge, uint64_t id);
/* The runs, of which the first begins at `step`, with what was put in late. */
void omen_insert_late (omen_rebuilt *rebuilt, uint64_t step,
                       omen_insertion *late, size_t count);
void omen_outside_sort (omen_rebuilt *rebuilt);
void omen_merge_ready (omen_merge *merge, uint32_t t);
/* The ready thread whose time is least, taken out of the ready ones. */
uint32_t omen_merge_next (omen_merge *merge);
/* t has no more items: whoever joins it may go on. */
void omen_merge_over (omen_merge *merge, uint32_t t);
/* The item at the cursor of t takes its place. */
void omen_merge_pass (omen_merge *merge, uint32_t t, const omen_item *item);
/* … a place in the past, before `step`. */
void omen_merge_insert (omen_merge *merge, uint32_t t, const omen_item *item,
                        uint64_t step);
/* Code that is not recorded changed memory before the item that t is at. */
void omen_merge_outside (omen_merge *merge, uint32_t t, uint64_t address,
                         uint32_t size);
/* All that is in the order stays before the rest. The cut is at the item that t
   is at, or after the note that it has passed last. */
void omen_merge_cut (omen_merge *merge, uint32_t t, bool after);
/* What t read last was before `hint`, and perhaps after something that is not
   in the order yet: until all threads are past that time, they take turns with
   cuts in between. */
void omen_merge_serial (omen_merge *merge, uint32_t t, uint64_t hint);
/* … this word, at some time before. */
bool omen_merge_was_outside (const omen_merge *merge, uint64_t address);

/* ---- grow.c ---- */
/* Only what the file has got so far can be read, and not all of that. */
static inline bool
omen_merge_grows (const omen_merge *merge)
{
  return merge->live || merge->grew;
}
/* The file has grown: as far as it goes now. */
void omen_merge_more (omen_merge *merge);
/* There is a mark. Nothing that the file gets from now on belongs before where
   the merge was at the last one. The order up to one of those, `lag` steps back
   or more (0: up to now), is `part`, the caller's to fini: where writes race,
   what is read later tells their order. */
void omen_merge_take (omen_merge *merge, uint64_t lag, omen_rebuilt *part);
/* The file does not grow any more: the rest of the order, all of it. */
void omen_merge_settle (omen_merge *merge);

/* ---- item.c ---- */
/* Does the next item of t, if it may go; else its state says what it waits
   for. */
bool omen_merge_item (omen_merge *merge, uint32_t t, const omen_item *item);
/* Nobody knows what up to 8 bytes hold until they are read or written. */
void omen_merge_unsee (omen_merge *merge, uint64_t address, unsigned size);
/* Do all values that the item reads fit? */
bool omen_merge_fits (omen_merge *merge, const omen_item *item);

/* ---- numbers.c ---- */
bool omen_numbers_turn (omen_merge *merge, uint32_t t, const omen_item *item);
/* The same, and it does not wait. */
bool omen_numbers_may (omen_merge *merge, const omen_item *item);
void omen_numbers_pass (omen_merge *merge, const omen_item *item);
/* All wait: let one go that has two numbers in a circle with another's. */
bool omen_numbers_relax (omen_merge *merge);

/* ---- sums.c ---- */
/* The load at the cursor of t is the first of some of which the sum is known:
   find out what they read from what is there now, or was. False: not yet. */
bool omen_sums_resolve (omen_merge *merge, uint32_t t);
/* Would what is there now explain it? */
bool omen_sums_fit (omen_merge *merge, uint32_t t);
/* Can nothing be said of it (ring/doubt.h)? */
bool omen_sums_in_doubt (omen_merge *merge, uint32_t t);
/* All the others wait: the same, or their values are unknown if that is certain
   not to claim anything wrong. */
bool omen_sums_answer (omen_merge *merge, uint32_t t);
/* Memory that nobody else writes was changed by code that is not recorded. */
bool omen_sums_own (omen_merge *merge, uint32_t t);
/* Nobody knows what they read: a cut after the first that races. False: t waits
   before that. */
bool omen_sums_cut (omen_merge *merge, uint32_t t);

/* ---- wanted.c ---- */
/* How far back one looks. */
enum { OMEN_MOST_CHANGES = 4096 };
/* The memory that an item reads or changes; length 0: none. */
typedef struct omen_extent {
  uint64_t address, length;
} omen_extent;
bool omen_extents_overlap (omen_extent a, omen_extent b);
omen_extent omen_item_extent (const omen_merge *merge, const omen_item *item);
/* Can the write give the read its value? Only plain ones are looked at
   closely. */
bool omen_item_gives (const omen_merge *merge, const omen_item *write,
                      const omen_item *read);
/* Part of a word that an item wants: which bytes of it, and their values. */
typedef struct omen_wanted {
  uint64_t address, value;
  unsigned mask;
} omen_wanted;
/* All that the item reads; false: it is in more than one word, or not known. */
bool omen_wanted_whole (const omen_merge *merge, const omen_item *item,
                        omen_wanted *w);
/* The k-th word that the item reads; false: there is none. */
bool omen_wanted_word (const omen_merge *merge, const omen_item *item,
                       uint64_t k, omen_wanted *w);
/* The last change of the word. */
const omen_change *omen_wanted_last (omen_merge *merge, const omen_wanted *w);
/* Was the value there before the change? */
bool omen_wanted_before (const omen_change *change, const omen_wanted *w);
/* The item changes memory. */
bool omen_item_writes (const omen_merge *merge, const omen_item *item);

/* ---- explain.c ---- */
/* Does somebody write what the sleeper reads who has not come so far, or whose
   notes are lost? */
bool omen_explain_may_come (const omen_merge *merge, uint32_t t);
/* Code that is not recorded has changed memory that t reads next. */
void omen_explain_changed (omen_merge *merge, uint32_t t, uint64_t address,
                           uint32_t size);
/* The same after a cut, where t has read *value (NULL: nobody knows). */
void omen_explain_forget (omen_merge *merge, uint32_t t, uint64_t address,
                          unsigned size, const uint64_t *value);
/* Did code that is not recorded write what the sleeper reads, for certain? */
bool omen_explain_is_outside (omen_merge *merge, uint32_t t,
                              const omen_item *item);
/* Code that is not recorded wrote what the sleeper reads; or a try failed
   without a reason that we know. */
void omen_explain_outside (omen_merge *merge, uint32_t t);
/* The item of t reads what only t itself writes, so that code that is not
   recorded changed it: it can go at once. */
bool omen_explain_own (omen_merge *merge, uint32_t t, const omen_item *item);
/* Does the sleeper have an answer now? */
bool omen_explain (omen_merge *merge, uint32_t t);
/* Nothing explains what t reads next, and nobody else can go on: it goes on
   after a cut. */
void omen_explain_cut (omen_merge *merge, uint32_t t);

/* ---- sleep.c ---- */
/* The read at the cursor of t does not fit: put into the past (true), or the
   thread sleeps. */
bool omen_sleep_or_late (omen_merge *merge, uint32_t t, const omen_item *item);
void omen_sleep_fall (omen_merge *merge, uint32_t t);
/* If t sleeps at loads of which the sum is known: if something can be said of
   them it is, and t is ready. */
bool omen_sleep_answer_sum (omen_merge *merge, uint32_t t);
/* Nothing in the file explains what the sleeper needs. */
void omen_sleep_answer (omen_merge *merge, uint32_t t);
/* Nobody knows what the sleeper reads: a cut (order.h), or, where something is
   lost, what its thread did until then is all. */
void omen_sleep_end (omen_merge *merge, uint32_t t);
/* The first TIME item at `from` or after it that is not before `time`: its
   position, and what it says; the end and UINT64_MAX: there is none. */
uint64_t omen_sleep_hint (omen_merge *merge, uint32_t t, uint64_t time,
                          uint64_t *hint);
/* A thread has acquired the lock. */
void omen_sleep_wake_tries (omen_merge *merge, uint32_t taker, uint64_t lock);
/* Memory at [address, address + length) has changed. */
void omen_sleep_wake (omen_merge *merge, uint64_t address, uint64_t length);
/* Everybody who is awake has come to `time`: who has slept too long? */
void omen_sleep_expire (omen_merge *merge, uint64_t time);
/* All are blocked: do something about it; false: nothing can be done. */
bool omen_sleep_resolve (omen_merge *merge);

/* ---- try.c ---- */
static inline bool
omen_try_is (const omen_item *item)
{
  return item->kind == OMEN_ITEM_TRY_FAIL
         || item->kind == OMEN_ITEM_READ_TRY_FAIL;
}
/* Who holds which lock after the item of t. True: it takes *lock. */
bool omen_try_follow (omen_merge *merge, uint32_t t, const omen_item *item,
                      uint64_t *lock);
/* Does it fail, and do nothing to the lock? */
static inline bool
omen_try_fails (const omen_item *item)
{
  return omen_try_is (item) || item->kind == OMEN_ITEM_LOCK_FAIL;
}
/* If t sleeps at a failed try, the numbers of the failures that follow it are
   passed as well: the acquire that they came before may wait for one of them.
   False: there are none. */
bool omen_try_ahead (omen_merge *merge, uint32_t t);
/* Is the lock held as the failed try needs it? */
bool omen_try_fits (omen_merge *merge, const omen_item *item);
bool omen_try_fail (omen_merge *merge, uint32_t t, const omen_item *item);

#endif
