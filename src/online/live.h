/* A recording rebuilt while it is made: the same events as when it is loaded,
   each of them told once.

     omen_live *live = omen_live_open ("run.omen", &options, NULL, &err);
     while (the program runs)
       omen_live_read (live, NOTES, &more)         what is new of the file
       if (!fork ())                               and for a look at it:
         trace = omen_live_trace (live, &err)      all that there is, sealed
     omen_live_close (live);

   A file that grows can be read as if it ended here, which is what a program
   that is killed now leaves. What the threads noted last may turn out to lie
   otherwise beside each other when more has come, so for that trace the order
   is made up to the end, and told; and as nothing of it can be taken back it is
   made on a copy: a child of the process, or the last that is done with the
   object. What is kept is the part of which that is certain.

   Certain: the runtime writes the notes of all threads at each tick, and then a
   mark. What stands behind a mark was noted after all that stands before the
   mark before. So, at mark n, notes up to mark n - 1 are merged (all readers of
   an atomic that were before a write are known then), and no later note belongs
   before what was merged at mark n - 1. What is OMEN_LIVE_LAG steps further
   back is fixed, unless somebody still waits for a number: in which order
   writes came that raced is told by reads, some of them later. It goes from the
   merge (recording/merge/grow.c) to the emitter (recording/events/walk.c),
   which forgets what the wish lets it (past.h). A log of all threads is in
   order as it is.

   What the whole file would have to be known for, and is not:
   - locks and semaphores that code takes which is not woven ("boxes",
     recording/events/outside.c): if one was told as another before, all has to
     be done again, with what is known now (OMEN_LIVE_AGAIN); likewise if
     modules come
   - whether a value that nobody wrote lies in memory of one thread alone: here
     it never does, so that more than need be keeps its order.

   Memory: what the program's memory takes (recording/merge/image.h,
   recording/events/blocks.h), what the wish keeps, the last OMEN_IMAGE_PAST
   changes; nothing by event. Cost: that of loading, for what is new. */
#ifndef OMEN_ONLINE_LIVE_H
#define OMEN_ONLINE_LIVE_H

#include "recording/events/past.h"
#include "recording/rebuild.h"

#define OMEN_LIVE_LAG ((uint64_t)OMEN_HARD_OR (256, 1 << 15))

typedef struct omen_live omen_live;

typedef enum omen_live_state {
  OMEN_LIVE_GOOD,
  OMEN_LIVE_OVER,  /* its end mark is there, and all before it was read */
  OMEN_LIVE_AGAIN, /* open it again, `before` being this one */
  OMEN_LIVE_FAILED /* damaged, or too much of something: omen_live_err */
} omen_live_state;

/* What has been done, of all that was ever opened for the file. */
typedef struct omen_live_counts {
  uint64_t bytes;  /* of the file, taken */
  uint64_t notes;  /* in them */
  uint64_t told;   /* notes told as events */
  uint64_t opened; /* how often from the beginning */
} omen_live_counts;

typedef struct omen_live_options {
  omen_past_wish wish;          /* what may be forgotten */
  omen_rebuild_options rebuild; /* what is in the trace */
  bool without_names;           /* do not look into the recorded program */
} omen_live_options;

/* NULL: it cannot be opened. The file may still be empty. `before`, or NULL:
   what the one that has to be opened again knows. Copies the options. */
omen_live *omen_live_open (const char *path, const omen_live_options *options,
                           const omen_live *before, omen_err *err);
void omen_live_close (omen_live *live);

/* What is new, about `most` notes of it; *more: there is more at once. */
omen_live_state omen_live_read (omen_live *live, uint64_t most, bool *more);
const char *omen_live_err (const omen_live *live);
/* Other than OMEN_LIVE_LAG. */
void omen_live_set_lag (omen_live *live, uint64_t steps);
/* So many events from the start are past, from now on. */
void omen_live_past (omen_live *live, uint64_t events);
omen_live_counts omen_live_count (const omen_live *live);

/* All that was read, as a trace. Once: the object is then of no other use than
   to be closed. NULL: it is none. */
omen_trace *omen_live_trace (omen_live *live, omen_err *err);

#endif
