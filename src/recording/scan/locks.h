/* Locks, as a scan in an order that must-order allows sees them: what each
   thread holds, in which order locks were taken, and whether functions are
   reducible (nothing is taken after something was given up: then the function
   could have run in one piece).

     may |= omen_locks_see (&locks, &histories, &holder, &item);
     …
     if (omen_locks_cycle (&locks))
       …                                         there may be a deadlock */
#ifndef OMEN_RECORDING_SCAN_LOCKS_H
#define OMEN_RECORDING_SCAN_LOCKS_H

#include "recording/events/frames.h"
#include "recording/log/cursor.h"
#include "recording/scan/history.h"

/* What may be found in other runs: kinds of candidates. */
enum omen_candidates {
  OMEN_MAY_RACE = 1, /* or use memory that was freed, or a null pointer */
  OMEN_MAY_DEADLOCK = 2,
  OMEN_MAY_VIOLATE = 4, /* atomicity */
  OMEN_MAY_MISUSE = 8   /* or something that only events tell */
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
  size_t given;       /* so many of them, from outermost, gave up a lock */
  size_t exempt;      /* … of which so many may take one then */
  bool entered;       /* it has been in a function */
} omen_holder;

void omen_locks_init (omen_locks *locks);
void omen_locks_fini (omen_locks *locks);
/* Before a walk, with what the last one found to be bad. */
void omen_locks_again (omen_locks *locks, bool all_bad);
void omen_holder_fini (omen_holder *holder);

bool omen_locks_concern (unsigned kind);
/* An item that concerns them. What may come of it (omen_candidates). */
unsigned omen_locks_see (omen_locks *locks, omen_word_histories *histories,
                         omen_holder *holder, const omen_item *item);
/* A note of a depth; `exempt`: a function that is not meant to be atomic. */
void omen_holder_frame (omen_holder *holder, unsigned kind, uint64_t noted,
                        bool inlined, bool exempt);
/* It does an atomic operation, which goes neither way. */
unsigned omen_holder_atomic (omen_holder *holder);
/* Is there a ring of locks, each taken by who held the one before? */
bool omen_locks_cycle (const omen_locks *locks);

#endif
