/* Private to nondeterministic reads: shared by nondet.c (portions, reports) and
   nondet_rounds.c (answers for the pairs of a portion). */
#ifndef OMEN_PREDICT_NONDET_HUNT_H
#define OMEN_PREDICT_NONDET_HUNT_H

#include "predict/decider.h"
#include "predict/windows.h"

#include <stdatomic.h>

/* A read and a write that it could see instead (its rival). */
typedef struct omen_nondet_pair {
  uint32_t rank;      /* of the read */
  omen_rival *rivals; /* one for each atom */
  uint32_t count;
  uint32_t window;           /* OMEN_NONE: too far apart */
  omen_rf_order first, last; /* the range of orders to try */
  omen_rf_order order;       /* the one found possible */
  omen_eid writer;           /* of the atom for which it was found */
  omen_verdict verdict;
  omen_rf_plan plan; /* found by a quick answer */
  omen_ids sequence; /* found by the engine */
} omen_nondet_pair;
typedef OMEN_VEC (omen_nondet_pair) omen_nondet_pairs;

typedef struct omen_nondet_hunt omen_nondet_hunt;

typedef struct omen_nondet_worker {
  omen_nondet_hunt *hunt;
  omen_decider *decider;
  omen_rivals rivals;
  omen_nondet_pairs found, open;
  omen_predict_stats stats;
} omen_nondet_worker;

struct omen_nondet_hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_predict_stats *stats;
  omen_quick *quick;
  omen_windows windows;
  omen_deadline deadline;
  omen_ids reads;   /* by location */
  uint8_t *settled; /* brief: by location + 1, whether it was reported */
  omen_nondet_worker *workers;
  unsigned jobs;
  /* the current portion */
  uint32_t first, end; /* in reads */
  omen_nondet_pairs found, open;
  _Atomic uint32_t next, limit;
  bool by_window; /* round 2: `open` has the answers, in place */
  /* the current window */
  omen_window *view;
  uint32_t view_index;
};

/* Was the read's location reported already, so that it can be skipped? */
static inline bool
omen_nondet_settled (const omen_nondet_hunt *h, omen_eid read)
{
  uint32_t location = omen_model_event (h->model, read)->location;
  return h->settled && h->settled[location + 1]; /* OMEN_NONE: at 0 */
}

/* For qsort: by read, then by rival. */
int omen_nondet_by_read (const void *a, const void *b);

/* Round 1: quick answers for the reads of the portion, into found and open. */
void omen_nondet_ask_quickly (omen_nondet_hunt *h);
/* Round 2: the engine decides the open pairs, each in its window. */
void omen_nondet_ask_by_window (omen_nondet_hunt *h);

#endif
