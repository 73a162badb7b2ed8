/* Inside the merge (rebuild_order.h): its state and what its parts offer.

     rebuild_order.c    who is next: the main loop
     rebuild_item.c     may the next item of a thread go, and what it does
     rebuild_numbers.c  stripes and who waits for a number
     rebuild_sums.c     loads of which only the sum is known
     rebuild_sleep.c    reads whose value is not there

   A step is a note in the order made so far: item after item, each takes as
   many steps as it has notes. Everything that an item changes can be taken
   back: memory by the image's past, the rest by cells. */
#ifndef OMEN_TRACE_REBUILD_MERGE_H
#define OMEN_TRACE_REBUILD_MERGE_H

#include "trace/rebuild_image.h"
#include "trace/rebuild_order.h"

typedef enum omen_merge_state {
  OMEN_MERGE_READY,
  OMEN_MERGE_ASLEEP, /* at a read whose value is not there */
  OMEN_MERGE_NUMBER, /* its number's turn has not come */
  OMEN_MERGE_THREAD, /* for its fork, or for the end of whom it joins */
  OMEN_MERGE_HELD,   /* by something learnt */
  OMEN_MERGE_OVER,   /* no more items */
  OMEN_MERGE_ENDED   /* no order explains its next item */
} omen_merge_state;

typedef struct omen_merge_thread {
  omen_note_cursor cursor;
  omen_merge_state state;
  uint64_t time;  /* of its last TIME item; without, how far it is */
  uint64_t after; /* the step from which on its next item may be put */
  uint64_t born;  /* its fork is in the order, or it has none */
  uint64_t died;  /* its end is in the order */
  /* waiting for a number: */
  uint32_t queue, next_waiter;
  uint64_t number;
  /* asleep: */
  uint64_t deadline, deadline_step;
  uint64_t sleeping_at; /* position; and tries for it: */
  uint32_t tries;
  /* learnt: */
  uint64_t held_at; /* position where to look, UINT64_MAX: nowhere */
} omen_merge_thread;

/* The item of `holder` comes after the item of `reader`. */
typedef struct omen_learnt {
  uint32_t holder, reader;
  uint64_t holder_at, reader_at;
} omen_learnt;

/* An item put into the past. */
typedef struct omen_insertion {
  uint64_t step, made; /* goes before `step`; put there when at `made` */
  uint64_t serial;     /* of those, which */
  uint32_t thread, notes;
} omen_insertion;

/* What a cell was before `step`. */
typedef struct omen_cell {
  uint64_t *cell; /* or */
  uint32_t *narrow;
  uint64_t old, step;
} omen_cell;

/* A number that was passed before its turn. */
typedef struct omen_passed {
  uint32_t queue;
  uint64_t number, step;
} omen_passed;

/* Queues: the stripes, then those of atomics. */
#define OMEN_QUEUES (2 * OMEN_STRIPES)
#define OMEN_MERGE_CELLS OMEN_HARD_OR ((size_t)1 << 8, (size_t)1 << 17)

typedef struct omen_merge {
  omen_notes_file *file;
  omen_notes_summary *summary;
  omen_rebuilt *out;
  omen_image image;
  omen_merge_thread *threads;
  uint32_t count;
  omen_map index; /* thread id -> index */
  uint64_t step;
  uint64_t *numbers; /* by queue: the next one; atomics: the last writer's */
  uint32_t *waiters; /* by queue: a thread, see next_waiter; OMEN_NONE */
  OMEN_VEC (omen_passed) passed;
  OMEN_VEC (uint32_t) heap; /* of ready threads, least time first */
  OMEN_VEC (uint32_t) sleepers;
  OMEN_VEC (omen_learnt) learnt;
  OMEN_VEC (omen_insertion) insertions;
  OMEN_VEC (omen_cell) cells;
  OMEN_VEC (uint64_t) outside_steps; /* by entry of out->outside */
  uint64_t cells_from;               /* cells go back to this step */
  uint64_t redone, budget;           /* steps taken back so far; the limit */
  bool values;                       /* they are known */
  bool one_log;                      /* in the order in which it happened */
} omen_merge;

/* ---- rebuild_order.c ---- */
void omen_merge_ready (omen_merge *merge, uint32_t t);
/* The item at the cursor of t takes its place. */
void omen_merge_pass (omen_merge *merge, uint32_t t, const omen_item *item);
/* Change something that a rollback changes back. */
void omen_merge_set (omen_merge *merge, uint64_t *cell, uint64_t value);
void omen_merge_set_narrow (omen_merge *merge, uint32_t *cell, uint32_t value);
/* Take back everything from `step` on. */
void omen_merge_rollback (omen_merge *merge, uint64_t step);
/* The first step to which one can go back. */
uint64_t omen_merge_horizon (const omen_merge *merge);
void omen_merge_outside (omen_merge *merge, uint32_t t, uint64_t address,
                         uint32_t size);

/* ---- rebuild_item.c ---- */
/* Does the next item of t, if it may go; else its state says what it waits
   for. */
bool omen_merge_item (omen_merge *merge, uint32_t t, const omen_item *item);
/* Do all values that the item reads fit? */
bool omen_merge_fits (omen_merge *merge, const omen_item *item);

/* ---- rebuild_numbers.c ---- */
bool omen_numbers_turn (omen_merge *merge, uint32_t t, const omen_item *item);
void omen_numbers_pass (omen_merge *merge, const omen_item *item);
/* All wait: let one go that has two numbers in a circle with another's. */
bool omen_numbers_relax (omen_merge *merge);
/* A blocked thread gives up its place in a queue. */
void omen_numbers_leave (omen_merge *merge, uint32_t t);

/* ---- rebuild_sums.c ---- */
/* The load at the cursor of t is the first of some of which the sum is known:
   find out what they read from what is there now, or was. False: not yet. */
bool omen_sums_resolve (omen_merge *merge, uint32_t t);
/* Would what is there now explain it? */
bool omen_sums_fit (omen_merge *merge, uint32_t t);
/* Also from what others write next; if that does not help either, their values
   are unknown. */
void omen_sums_answer (omen_merge *merge, uint32_t t);

/* ---- rebuild_sleep.c ---- */
/* The read at the cursor of t does not fit: put into the past (true), or the
   thread sleeps. */
bool omen_sleep_or_late (omen_merge *merge, uint32_t t, const omen_item *item);
/* Memory at [address, address + length) has changed. */
void omen_sleep_wake (omen_merge *merge, uint64_t address, uint64_t length);
/* t has passed its item: who was held for it may go on. */
void omen_sleep_release (omen_merge *merge, uint32_t t);
/* Is t held at its position? Its state says so then. */
bool omen_sleep_held (omen_merge *merge, uint32_t t);
/* Where must t look next whether it is held? */
void omen_sleep_look (omen_merge *merge, uint32_t t);
/* Everybody who is awake has come to `time`: who has slept too long? True: the
   merge was taken back. */
bool omen_sleep_expire (omen_merge *merge, uint64_t time);
/* All are blocked: do something about it; false: nothing can be done. */
bool omen_sleep_resolve (omen_merge *merge);

#endif
