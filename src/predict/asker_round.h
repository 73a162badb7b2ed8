/* Private to the asker: what its rounds share. asker.c starts them and hands
   over what they find; asker_quick.c is round 1, asker_windows.c round 2;
   asker_steps.c knows what is particular to patterns (OMEN_ASK_STEPS),
   asker_sight.c what is to OMEN_ASK_SIGHT. */
#ifndef OMEN_PREDICT_ASKER_ROUND_H
#define OMEN_PREDICT_ASKER_ROUND_H

#include "model/engine.h"
#include "predict/asker.h"
#include "predict/windows.h"

#include <stdatomic.h>

/* One instance, as far as it got. */
typedef struct omen_ask_tuple {
  uint32_t group, rank; /* rank: which instance of its group */
  uint32_t count;
  uint32_t window;    /* while pending */
  uint32_t instances; /* of the group that are known to hold */
  bool decided;       /* by the engine */
  bool spare;         /* another one of a group that has its answer */
  omen_eid events[OMEN_TUPLE_MAX];
  uint32_t *cut;     /* found by the quick answer: to make the sequence */
  omen_ids sequence; /* found by the engine */
} omen_ask_tuple;
typedef OMEN_VEC (omen_ask_tuple) omen_ask_tuples;

struct omen_asker {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_quick *quick;
  uint32_t window; /* events */
  omen_deadline deadline;
};

_Static_assert (OMEN_TUPLE_MAX <= 32, "omen_ask_steps has a bit for each");

/* Why a group is undecided. */
enum { OMEN_ASK_BUDGET = 1, OMEN_ASK_WINDOW = 2 };

/* What the workers of a round share; a group belongs to one of them at a
   time. */
typedef struct omen_ask_round {
  omen_asker *asker;
  const omen_inquiry *inquiry;
  struct omen_ask_worker *workers;
  unsigned jobs; /* how many workers, at least 1 */
  _Atomic uint32_t next;
  uint8_t *found;     /* by group */
  uint8_t *undecided; /* by group: what stood in the way */
  /* round 2 */
  omen_windows windows;
  bool last; /* what stays open is undecided */
  const omen_window *view;
  omen_ask_tuple *pending; /* of this window, by group, then rank */
  size_t pending_count;
  size_t *starts; /* where the groups of pending begin, and one more */
  size_t start_count;
} omen_ask_round;

typedef struct omen_ask_worker {
  omen_ask_round *round;
  omen_ask_tuples found, pending;
  omen_predict_stats stats;
  uint32_t *cut;
  /* the group at hand */
  uint32_t group, rank;
  uint64_t asks; /* instances of it that count as questions */
  uint32_t more; /* instances tried after the first that was found */
  size_t answer; /* the first that was found */
  omen_ids take, kept, order, together; /* of the question at hand */
  omen_seen seen;
} omen_ask_worker;

/* For qsort: by group, then rank. */
int omen_ask_by_group (const void *a, const void *b);
/* Append `from`, which is empty then. */
void omen_ask_move (omen_ask_tuples *to, omen_ask_tuples *from);

/* The window in which all events of an instance lie; OMEN_NONE: they are too
   far apart. */
uint32_t omen_ask_window_of (const omen_ask_round *r,
                             const omen_windows *windows, uint32_t group,
                             const omen_eid *events, uint32_t count);

/* Round 1, for all groups: finds, and leaves what is pending. */
void omen_ask_quickly (omen_ask_round *r);
/* Round 2, for all that is pending. */
void omen_ask_by_window (omen_ask_round *r);

/* Steps that come first in the trace as they do in the pattern need not be in
   the window, but before it: how many. Less than `count`. */
uint32_t omen_steps_in_place (const omen_model *m, const omen_ask_steps *steps,
                              const omen_eid *events, uint32_t count);
omen_verdict omen_sight_quick (omen_ask_worker *w, omen_eid write,
                               omen_eid read);
/* In the atom-th of the read; false: it may see the write there. Borrows from
   the worker. */
bool omen_sight_question (omen_ask_worker *w, const omen_eid *events,
                          uint32_t atom, omen_question *q);
/* What comes before the read. */
void omen_sight_cut (omen_ids *sequence, omen_eid read);

/* The quick answer; FOUND leaves the cut in front of the steps. */
omen_verdict omen_steps_quick (omen_ask_worker *w, const omen_eid *e,
                               uint32_t count);
/* Borrows from the worker, until the next one. */
omen_question omen_steps_question (omen_ask_worker *w, const omen_ask_tuple *t);

#endif
