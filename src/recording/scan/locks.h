/* Locks, as seen in an order that must-order allows: what each thread holds, in
   which order locks were acquired, and whether functions are reducible (no lock
   is acquired after one was released, so that the function could have run in
   one piece).

     may |= omen_locks_see (&locks, &histories, &holder, &item);
     …
     if (omen_locks_cycle (&locks))
       …                                         there may be a deadlock */
#ifndef OMEN_RECORDING_SCAN_LOCKS_H
#define OMEN_RECORDING_SCAN_LOCKS_H

#include "recording/events/frames.h"
#include "recording/log/cursor.h"
#include "recording/scan/history.h"

/* Kinds of findings that other runs may have. */
enum omen_candidates {
  OMEN_MAY_RACE = 1, /* also uses of freed memory, null dereferences */
  OMEN_MAY_DEADLOCK = 2,
  OMEN_MAY_VIOLATE = 4, /* atomicity */
  OMEN_MAY_MISUSE = 8   /* also findings that need the events */
};

typedef struct omen_lock_seen {
  uint64_t address;
  bool bad;    /* it guards nothing */
  bool guards; /* it was held */
} omen_lock_seen;

typedef struct omen_lock_order {
  uint32_t first, second;
} omen_lock_order;

typedef struct omen_locks {
  OMEN_VEC (omen_lock_seen) list;
  omen_map index; /* address -> lock */
  OMEN_VEC (omen_lock_order) orders;
  omen_map order_of;
  bool all_bad;
} omen_locks;

typedef struct omen_lock_held {
  uint64_t address;
  uint32_t lock, depth;
  bool exclusive;
} omen_lock_held;

/* A thread. */
typedef struct omen_holder {
  OMEN_VEC (omen_lock_held) held;
  uint32_t set;       /* of histories */
  omen_frames frames; /* functions that it is in */
  size_t given;       /* the outermost `given` frames have released a lock */
  size_t exempt;      /* the outermost `exempt` frames may acquire after that */
  bool entered;       /* it has been in a function */
} omen_holder;

void omen_locks_init (omen_locks *locks);
void omen_locks_fini (omen_locks *locks);
/* Before the next walk: keeps which locks the last one found bad. */
void omen_locks_again (omen_locks *locks, bool all_bad);
void omen_holder_fini (omen_holder *holder);

bool omen_locks_concern (unsigned kind);
/* Processes an item on a lock; returns the findings that it makes possible
   (omen_candidates). */
unsigned omen_locks_see (omen_locks *locks, omen_word_histories *histories,
                         omen_holder *holder, const omen_item *item);
/* Processes a note of the stack depth (function entry, exit or landing);
   `exempt`: the function is not meant to be atomic. */
void omen_holder_frame (omen_holder *holder, unsigned kind, uint64_t noted,
                        bool inlined, bool exempt);
/* The thread does an atomic operation: a non-mover, for reducibility. */
unsigned omen_holder_atomic (omen_holder *holder);
/* Do the orders of locks form a cycle? */
bool omen_locks_cycle (const omen_locks *locks);

#endif
