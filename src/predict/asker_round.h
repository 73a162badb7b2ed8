/* Private to the asker: state shared by its rounds. asker.c runs them and
   reports their results; asker_quick.c is round 1, asker_windows.c round 2;
   asker_steps.c and asker_reads_from.c have what is special about
   OMEN_ASK_STEPS and OMEN_ASK_READS_FROM; asker_share.c shares the work with
   other processes. */
#ifndef OMEN_PREDICT_ASKER_ROUND_H
#define OMEN_PREDICT_ASKER_ROUND_H

#include "model/engine.h"
#include "predict/asker.h"
#include "predict/windows.h"

#include <stdatomic.h>

/* A tuple and what is known about it. */
typedef struct omen_ask_tuple {
  uint32_t group, rank; /* rank: its number within the group */
  uint32_t count;
  uint32_t window;    /* while pending */
  uint32_t instances; /* known to hold in its group */
  bool decided;       /* by the engine */
  bool spare;         /* a further tuple of a group that has its answer */
  omen_eid events[OMEN_TUPLE_MAX];
  uint32_t *cut; /* if found by a quick answer; the sequence is made from it */
  omen_ids sequence; /* if found by the engine */
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

/* State shared by the workers of a round. A group is handled by one worker at
   a time. */
typedef struct omen_ask_round {
  omen_asker *asker;
  const omen_inquiry *inquiry;
  struct omen_ask_worker *workers;
  unsigned jobs;         /* how many workers, at least 1 */
  _Atomic uint32_t next; /* next piece: a group, or one in its window */
  uint32_t end;          /* end of the pieces to do */
  uint8_t *found;        /* by group */
  uint8_t *undecided;    /* by group: the reasons */
  /* round 2 */
  omen_windows windows;
  bool last; /* largest windows: what stays open is undecided */
  const omen_window *view;
  omen_ask_tuple *pending; /* by window, then group, then rank */
  size_t pending_count;
  size_t *starts; /* start of each group in pending; one entry more */
  uint32_t start_count;
} omen_ask_round;

typedef struct omen_ask_worker {
  omen_ask_round *round;
  omen_ask_tuples found, pending;
  omen_predict_stats stats;
  uint32_t *cut;
  /* the current group */
  uint32_t group, rank;
  uint64_t asks; /* its tuples that count towards the budget */
  uint32_t more; /* tuples tried after its first FOUND */
  size_t answer; /* its first FOUND, in found */
  omen_ids take, kept, order, together; /* of the current question */
  omen_seen seen;
  omen_eid room[2];
} omen_ask_worker;

/* For qsort: by group, then rank. */
int omen_ask_by_group (const void *a, const void *b);
/* For qsort: by window, group, then rank. */
int omen_ask_by_window_first (const void *a, const void *b);
/* Append `from` to `to`, leaving `from` empty. */
void omen_ask_move (omen_ask_tuples *to, omen_ask_tuples *from);

/* Do all pieces: here, or together with other processes (base/share.h). `some`
   does those from r->next to r->end, with all workers. */
void omen_ask_pieces (omen_ask_round *r, uint32_t pieces,
                      void (*some) (omen_ask_round *r));

/* The window that contains all events of a tuple; OMEN_NONE if they are too
   far apart. */
uint32_t omen_ask_window_of (const omen_ask_round *r,
                             const omen_windows *windows, uint32_t group,
                             const omen_eid *events, uint32_t count);

/* Round 1, all groups: fills found and pending. */
void omen_ask_quickly (omen_ask_round *r);
/* Round 2, all pending tuples. */
void omen_ask_by_window (omen_ask_round *r);

/* How many of the first steps occur in the trace in the order of the pattern,
   before all later ones. These may lie before the window. Less than `count`. */
uint32_t omen_steps_in_place (const omen_model *m, const omen_ask_steps *steps,
                              const omen_eid *events, uint32_t count);
omen_verdict omen_reads_from_quick (omen_ask_worker *w, const omen_eid *events,
                                    uint32_t count);
/* The question for the atom-th atom of the read; false if seeing the write
   there is no error. Points into the worker. */
bool omen_reads_from_question (omen_ask_worker *w, const omen_ask_tuple *t,
                               uint32_t atom, omen_question *q);

/* Does the answer depend on whether a compare-exchange succeeds? Quick answers
   do not say. */
bool omen_ask_swaps (const omen_ask_round *r, const omen_eid *events,
                     uint32_t count);

/* The quick answer; if FOUND, w->cut ends in front of the steps. */
omen_verdict omen_steps_quick (omen_ask_worker *w, const omen_eid *e,
                               uint32_t count);
/* Points into the worker; valid until the next call. */
omen_question omen_steps_question (omen_ask_worker *w, const omen_ask_tuple *t);

#endif
