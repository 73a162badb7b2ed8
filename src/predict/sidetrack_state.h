/* Private to SideTrack: the open blocks of threads (sidetrack_blocks.c), the
   state of its rules (sidetrack.c), and its allocation (sidetrack_room.c). */
#ifndef OMEN_PREDICT_SIDETRACK_STATE_H
#define OMEN_PREDICT_SIDETRACK_STATE_H

#include "base/map.h"
#include "base/vec.h"
#include "predict/sidetrack.h"

/* An atomic block, for blame; kept while it is open or a window refers to
   it. */
typedef struct omen_side_node {
  omen_blamed block;
  uint32_t parent; /* node, or OMEN_NONE */
  uint32_t uses;
  uint64_t closed; /* step at which it was closed, or UINT64_MAX */
} omen_side_node;

/* An open block; node OMEN_NONE if it is not atomic. `serial` numbers the
   blocks of a thread: the block was open at an earlier point if its serial is
   at most the thread's serial there. */
typedef struct omen_side_frame {
  uint32_t name;
  uint32_t kind;
  uint64_t serial;
  uint32_t node;
} omen_side_frame;

typedef struct omen_side_thread {
  OMEN_VEC (omen_side_frame) frames;
  uint64_t serial;
  uint32_t atomic;      /* number of open atomic blocks */
  uint64_t bottom, top; /* serials of the outermost and innermost of them */
  bool forked, entered;
} omen_side_thread;

typedef struct omen_side_blocks {
  OMEN_VEC (omen_side_node) nodes;
  omen_ids unused;
  OMEN_VEC (uint8_t) chosen[2]; /* functions and labels: CHOSEN_… bits */
} omen_side_blocks;

void omen_side_open (omen_side_blocks *blocks,
                     const omen_sidetrack_options *options,
                     omen_side_thread *thread, const omen_event *event,
                     omen_eid e);
void omen_side_close (omen_side_blocks *blocks, omen_side_thread *thread,
                      const omen_event *event, uint64_t step);
/* The innermost open atomic block with at most this serial; its node is
   OMEN_NONE if there is none. O(log depth) if all blocks are atomic. */
omen_side_frame omen_side_innermost (const omen_side_thread *thread,
                                     uint64_t serial);
void omen_side_use (omen_side_blocks *blocks, uint32_t node);
void omen_side_unuse (omen_side_blocks *blocks, uint32_t node);
/* Append the blocks from `node` outwards that were open at the step. */
typedef OMEN_VEC (omen_blamed) omen_blame;
void omen_side_list (const omen_side_blocks *blocks, uint32_t node,
                     uint64_t step, omen_blame *out);

/* ---- the state of the rules ---- */

/* An epoch: a thread, and its component of its clock. */
typedef struct omen_side_epoch {
  omen_tid thread; /* OMEN_NONE: never */
  uint32_t time;
} omen_side_epoch;

typedef struct omen_side_lock {
  omen_tid holder;
  uint32_t depth;
  omen_side_epoch acquired; /* A of the paper */
  omen_side_epoch released; /* R; the whole clock is in release_clocks */
  omen_side_epoch window;   /* V */
  omen_sidetrack_site last; /* the last acquire */
  omen_sidetrack_site window_first, window_second; /* of the window */
  uint32_t window_node;                            /* blame */
  uint64_t window_step;
} omen_side_lock;

/* An acquire that was preceded by a concurrent one, with the blocks whose
   serials are above `low` up to `high`; I in the paper. */
typedef struct omen_side_risk {
  uint64_t low, high;
  omen_sidetrack_site first, culprit;
} omen_side_risk;

/* A thread's last acquire of a lock, and its risks; H in the paper. */
typedef struct omen_side_hold {
  uint64_t serial; /* serial of the thread then; 0: no block was open */
  uint32_t saved;  /* depth before a condition wait */
  omen_sidetrack_site last;
  OMEN_VEC (omen_side_risk) risks; /* innermost last */
} omen_side_hold;

struct omen_sidetrack {
  omen_sidetrack_options options;
  omen_side_blocks blocks;
  OMEN_VEC (omen_side_thread) threads;
  OMEN_VEC (omen_side_lock) locks;
  uint32_t stride, lock_room; /* of clocks */
  uint32_t *clocks;           /* C: threads x stride */
  uint32_t *release_clocks;   /* R: locks x stride */
  uint32_t *hold_ids;         /* locks x stride: index in holds; 0: none yet */
  OMEN_VEC (omen_side_hold) holds;
  omen_blame blame;
  omen_map reported;
  uint64_t step;
};

static inline uint32_t *
omen_side_clock_of (const omen_sidetrack *s, omen_tid t)
{
  OMEN_ASSERT (t < s->stride);
  return s->clocks + (size_t)t * s->stride;
}

/* The clock of the lock's last release. */
static inline uint32_t *
omen_side_release_of (const omen_sidetrack *s, omen_lid l)
{
  OMEN_ASSERT (l < s->lock_room);
  return s->release_clocks + (size_t)l * s->stride;
}

/* Add threads up to t; locks up to l; a hold. */
void omen_side_add_threads (omen_sidetrack *s, omen_tid t);
void omen_side_add_locks (omen_sidetrack *s, omen_lid l);
uint32_t omen_side_add_hold (omen_sidetrack *s);

/* Threads and locks are added when first mentioned. */
static inline omen_side_thread *
omen_side_thread_of (omen_sidetrack *s, omen_tid t)
{
  if (OMEN_UNLIKELY (t >= s->threads.count))
    omen_side_add_threads (s, t);
  return &s->threads.data[t];
}

static inline omen_side_lock *
omen_side_lock_of (omen_sidetrack *s, omen_lid l)
{
  if (OMEN_UNLIKELY (l >= s->locks.count))
    omen_side_add_locks (s, l);
  return &s->locks.data[l];
}

/* Thread and lock must exist. */
static inline omen_side_hold *
omen_side_hold_of (omen_sidetrack *s, omen_tid t, omen_lid l)
{
  uint32_t *id = &s->hold_ids[(size_t)l * s->stride + t];
  OMEN_ASSERT (t < s->threads.count && l < s->locks.count);
  if (OMEN_UNLIKELY (!*id))
    *id = omen_side_add_hold (s);
  return &s->holds.data[*id];
}

#endif
