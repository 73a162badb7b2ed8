/* Private to live.h.

     live.c        a recording that grows, chunk by chunk
     live_names.c  names of what only has an address
     live_merge.c  marks: what is merged, what is emitted, the trace */
#ifndef OMEN_ONLINE_LIVE_STATE_H
#define OMEN_ONLINE_LIVE_STATE_H

#include "online/live.h"
#include "online/tail.h"
#include "recording/events/events.h"
#include "recording/merge/merge.h"

/* Most threads of a recording: their entries do not move. */
#define OMEN_LIVE_THREADS ((uint32_t)1 << 14)

/* Parallel to tail.file.threads. */
typedef struct omen_live_thread {
  OMEN_VEC (omen_chunk) chunks;
  uint64_t scanned; /* notes */
  uint64_t marked;  /* of them, those before the last mark */
} omen_live_thread;

struct omen_live {
  omen_tail tail;
  omen_live_counts counts;
  omen_live_options options;
  omen_live_state state;
  OMEN_VEC (omen_live_thread) threads;
  omen_map index; /* recorder's id -> threads */
  /* names */
  omen_map named;  /* calls whose places were looked up -> 1 */
  omen_map opaque; /* opaque locks that emitted events take into account -> 1 */
  /* the order */
  bool begun;
  uint64_t unmarked; /* notes since the last mark */
  uint64_t lag;      /* steps that are not fixed */
  omen_notes_summary summary;
  omen_rebuilt order;
  omen_merge merge;
  /* the events */
  omen_stacks stacks;
  omen_emitter emitter;
};

/* ---- live_names.c ---- */
/* Of what was scanned. */
void omen_live_name (omen_live *live);
/* Has something been emitted that would now be emitted differently? */
bool omen_live_is_wrong (omen_live *live);

/* ---- live_merge.c ---- */
/* Scans the new notes. */
void omen_live_scan (omen_live *live);
/* A mark: all chunks so far precede it. */
void omen_live_mark (omen_live *live);
void omen_live_fini_merge (omen_live *live);

#endif
