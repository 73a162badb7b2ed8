/* Asks, for groups of candidate tuples of events, whether the events of a
   tuple can be next together, or come in some order (omen_inquiry_form). A
   group (all pairs of two source lines, for example) is done with its first
   FOUND. There are two rounds; each covers all groups:

     1  quick answers (model/quick.h) over the whole trace
     2  for what is left, the engine, window by window


   The findings are the same for any number of jobs: groups are distributed
   among the workers, and the tuples of a group are asked about in order. */
#ifndef OMEN_PREDICT_ASKER_H
#define OMEN_PREDICT_ASKER_H

#include "predict/predict.h"
#include "model/quick.h"

#define OMEN_TUPLE_MAX 16u /* events of one tuple */

typedef struct omen_asker omen_asker;

/* Calls `each` with the tuples of a group, most promising first, until it
   returns false. Must be thread-safe. */
typedef bool (*omen_asker_each) (void *context, const omen_eid *events,
                                 uint32_t count);
typedef void (*omen_enumerate) (const void *candidates, uint32_t group,
                                omen_asker_each each, void *context);
/* Reports the answer of a group (in the order of groups): the events found,
   the sequence (the callee may take ownership), and how many tuples of the
   group are known to hold (by quick answers only; at most a few hundred are
   tried). Return false to stop. */
typedef bool (*omen_answered) (void *context, uint32_t group,
                               const omen_eid *events, uint32_t count,
                               uint32_t instances, omen_ids *sequence);

/* What is asked about the events of a tuple. */
typedef enum omen_inquiry_form {
  OMEN_ASK_NEXT,  /* can they be next together? */
  OMEN_ASK_ORDER, /* a, b: can both occur, a before b, without synchronisation
                     between? */
  OMEN_ASK_CROSS, /* e1, e1', e2', e2: can e1 come before e1' and e2' before e2,
                     with e1' or e2' between e1 and e2? */
  OMEN_ASK_AFTER, /* a, b: can b be next when a has occurred? */
  OMEN_ASK_READS_FROM, /* a, b: as AFTER, and would b see a in an atom where
                     that is an error (`bad`)? a, b, w: as AFTER, and would b,
                     which has one atom, see w in it? */
  OMEN_ASK_STEPS /* can they occur in this order, with their reads preserved
                    (except `loose` ones)? */
} omen_inquiry_form;

/* For OMEN_ASK_STEPS; bit i is for event i of a tuple. The order is required
   only within parts of the tuple; an event may be in several parts. */
typedef struct omen_ask_steps {
  uint32_t first; /* starts a part */
  uint32_t glued; /* comes directly after the event before it, in parallel with
                     it (omen_tracks_parallel) */
} omen_ask_steps;

/* The outcome for a group. */
typedef enum omen_ask_fate {
  OMEN_ASK_REFUTED,
  OMEN_ASK_FOUND,
  OMEN_ASK_UNDECIDED,
  OMEN_ASK_BEYOND /* undecided only because windows are too small */
} omen_ask_fate;

typedef struct omen_inquiry {
  const char *what; /* name shown in the progress display */
  const void *candidates;
  uint32_t groups;
  bool all; /* report every tuple that holds, not only the first of a group */
  omen_inquiry_form form;
  omen_enumerate enumerate;
  omen_answered answered;
  omen_answered spare; /* for some further tuples of the group; or NULL */
  void *context;
  bool (*bad) (const omen_model *model, omen_eid write, omen_eid read,
               uint32_t atom); /* OMEN_ASK_READS_FROM */
  const omen_ask_steps *steps; /* OMEN_ASK_STEPS: by group */
  const uint8_t *loose;        /* OMEN_ASK_STEPS: by event: its read need not be
                                  preserved if it is the last event of its thread */
  uint8_t *fates; /* OMEN_ASK_STEPS: outcome by group; if given, groups are not
                     counted in the statistics */
} omen_inquiry;

omen_asker *omen_asker_new (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink);
void omen_asker_free (omen_asker *asker);
/* Its quick answers, or NULL if it must not use them. */
const omen_quick *omen_asker_quick (const omen_asker *asker);
bool omen_asker_run (omen_asker *asker, const omen_inquiry *inquiry,
                     omen_predict_stats *stats);

#endif
