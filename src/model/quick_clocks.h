/* Private to quick*.c: the two clocks of every event. */
#ifndef OMEN_MODEL_QUICK_CLOCKS_H
#define OMEN_MODEL_QUICK_CLOCKS_H

#include "model/quick.h"

/* Clocks of one kind: by event, an id into words; the own component is not
   stored. Events share a clock until it changes, so ids grow along a thread. */
typedef struct omen_quick_clocks {
  uint32_t *of;   /* by event: what comes before it */
  uint32_t *firm; /* by event, rmw only: including what it read, which must be
                     preserved if the rmw is read; OMEN_QUICK_SYNC: what an
                     acquire that sees the atomic write synchronises with */
  omen_ids words; /* threads words a clock */
} omen_quick_clocks;

struct omen_quick {
  const omen_model *model;
  uint32_t threads;
  bool by_value;
  bool keeps_reads; /* every read but the last of a thread is preserved */
  uint8_t *single;  /* by slot: the read accepts one write only; NULL: all */
  uint32_t *last_write; /* by lock member: the last write section at or before
                           it in its cell, or OMEN_NONE */
  omen_quick_clocks must, observed;
};

static inline const uint32_t *
omen_quick_words (const omen_quick_clocks *c, uint32_t threads, omen_eid e)
{
  return c->words.data + (size_t)c->of[e] * threads;
}

typedef enum omen_quick_kind {
  OMEN_QUICK_MUST,
  OMEN_QUICK_OBSERVED,
  OMEN_QUICK_SYNC
} omen_quick_kind;

/* quick_clocks.c: fill in one kind. `single` as above. */
void omen_quick_walk (const omen_quick *quick, omen_quick_clocks *out,
                      omen_quick_kind kind, const uint8_t *single);
/* Is every clock of e below those of its thread's next event, and none above
   what has happened before e in the trace? */
bool omen_quick_clocks_valid (const omen_quick *quick,
                              const omen_quick_clocks *clocks);

/* quick_reads.c: the reordering has all of `cut` and stops before e. Is that
   impossible, because of what e's thread has read under the locks it holds? A
   no proves nothing. */
bool omen_quick_reads_refute (const omen_quick *quick, omen_eid e,
                              const uint32_t *cut);

/* Such an array for the model value; the caller frees it. */
uint8_t *omen_quick_single (const omen_model *model);

#endif
