/* Private to SideTrack: the open blocks of threads (sidetrack_blocks.c) and the
   state of its rules (sidetrack.c). */
#ifndef OMEN_PREDICT_SIDETRACK_STATE_H
#define OMEN_PREDICT_SIDETRACK_STATE_H

#include "base/map.h"
#include "base/vec.h"
#include "predict/sidetrack.h"

/* An atomic block, for blame: kept while it is open or a window refers to it. */
typedef struct omen_side_node {
  omen_blamed block;
  uint32_t parent; /* node, or OMEN_NONE */
  uint32_t uses;
  uint64_t closed; /* step at which it was, or UINT64_MAX */
} omen_side_node;

/* An open block; node OMEN_NONE: not an atomic one. The serial counts the blocks
   of the thread, so that a block was open at an earlier moment if its serial is
   not above the thread's then. */
typedef struct omen_side_frame {
  uint32_t name;
  uint32_t kind;
  uint64_t serial;
  uint32_t node;
} omen_side_frame;

typedef struct omen_side_thread {
  OMEN_VEC (omen_side_frame) frames;
  uint64_t serial;
  uint32_t atomic;      /* open atomic blocks */
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
/* Serial and node of the innermost open atomic block that is as old as that;
   node OMEN_NONE if there is none. O(log depth) where all are atomic. */
omen_side_frame omen_side_innermost (const omen_side_thread *thread,
                                     uint64_t serial);
void omen_side_use (omen_side_blocks *blocks, uint32_t node);
void omen_side_unuse (omen_side_blocks *blocks, uint32_t node);
/* The node and those around it that were open at the step, in `out`. */
typedef OMEN_VEC (omen_blamed) omen_blame;
void omen_side_list (const omen_side_blocks *blocks, uint32_t node,
                     uint64_t step, omen_blame *out);

#endif
