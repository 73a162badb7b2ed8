/* A recording rebuilt while it is made: the same events as when it is loaded,
   each of them emitted once.

     omen_live *live = omen_live_open ("run.omen", &options, NULL, &err);
     while (the program runs)
       omen_live_read (live, NOTES, &more)         what is new of the file
       if (!fork ())                               and for a look at it:
         trace = omen_live_trace (live, &err)      all that there is, sealed
     omen_live_close (live);

   A growing file can be read as if it ended here, as if the program were killed
   now. The order of the latest notes may change when more notes come, so for a
   trace the order is completed to the end on a copy: in a forked child, or as
   the last use of the object. What is kept is the part whose order is certain.

   Certain: at each tick the runtime writes the notes of all threads, and then a
   mark. What follows a mark was noted after all that precedes the previous
   mark. So, at mark n, notes up to mark n - 1 are merged (all readers of an
   atomic that were before a write are known then), and no later note belongs
   before what was merged at mark n - 1. What is OMEN_LIVE_LAG steps further
   back is fixed, unless a thread still waits for a sequence number: the order
   of racing writes follows from reads, some of them later. It goes from the
   merge (recording/merge/grow.c) to the emitter (recording/events/walk.c),
   which forgets what the retention filter allows (past.h). A single log of all
   threads is in order already.

   What only the whole file would show:
   - locks and semaphores that uninstrumented code acquires (opaque locks,
     recording/events/outside.c): if one was emitted as something else before,
     the file is read again from the start, with what is known now
     (OMEN_LIVE_AGAIN); likewise if modules are added
   - whether a value that no thread wrote lies in memory that one thread alone
     uses: here it is assumed not to, so more events than necessary keep their
     order.

   Memory: what the program's memory takes (recording/merge/image.h,
   recording/events/blocks.h), what the retention filter keeps, the last
   OMEN_IMAGE_PAST changes; nothing per event. Cost: that of loading, for what
   is new. */
#ifndef OMEN_ONLINE_LIVE_H
#define OMEN_ONLINE_LIVE_H

#include "recording/events/past.h"
#include "recording/rebuild.h"

#define OMEN_LIVE_LAG ((uint64_t)OMEN_HARD_OR (256, 1 << 15))

typedef struct omen_live omen_live;

typedef enum omen_live_state {
  OMEN_LIVE_GOOD,
  OMEN_LIVE_OVER,  /* the end mark is present, and all before it was read */
  OMEN_LIVE_AGAIN, /* open it again, `before` being this one */
  OMEN_LIVE_FAILED /* damaged, or too much of something: omen_live_err */
} omen_live_state;

/* Totals over all objects opened for the file. */
typedef struct omen_live_counts {
  uint64_t bytes;   /* of the file, taken */
  uint64_t notes;   /* in them */
  uint64_t emitted; /* notes emitted as events */
  uint64_t opened;  /* how often it was read from the beginning */
} omen_live_counts;

typedef struct omen_live_options {
  omen_past_filter filter;      /* what may be forgotten */
  omen_rebuild_options rebuild; /* what is in the trace */
  bool without_names; /* do not read the symbols of the recorded program */
} omen_live_options;

/* NULL: it cannot be opened. The file may still be empty. `before`: the object
   that must be opened again, whose knowledge is reused, or NULL. Copies the
   options. */
omen_live *omen_live_open (const char *path, const omen_live_options *options,
                           const omen_live *before, omen_err *err);
void omen_live_close (omen_live *live);

/* Read what is new, about `most` notes of it; *more: there is more at once. */
omen_live_state omen_live_read (omen_live *live, uint64_t most, bool *more);
const char *omen_live_err (const omen_live *live);
/* Other than OMEN_LIVE_LAG. */
void omen_live_set_lag (omen_live *live, uint64_t steps);
/* From now on the first `events` events are past. */
void omen_live_past (omen_live *live, uint64_t events);
omen_live_counts omen_live_count (const omen_live *live);

/* All that was read, as a trace. Can be called once: then the object can only
   be closed. NULL: err says why. */
omen_trace *omen_live_trace (omen_live *live, omen_err *err);

#endif
