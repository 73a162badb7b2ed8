/* Asks, for groups of candidates, whether the events of one of them can be next
   together, or in some order (omen_inquiry_form). A group (say, all pairs of
   two source lines) ends with its first answer FOUND. In two rounds, the cheap
   one first and for all groups:

     1  quick answers (model/quick.h) over the whole trace
     2  for what is left, the engine, window by window

   The same findings come out for any number of jobs: the groups are spread over
   the workers, and within a group instances are asked in order. */
#ifndef OMEN_PREDICT_ASKER_H
#define OMEN_PREDICT_ASKER_H

#include "predict/predict.h"
#include "model/quick.h"

#define OMEN_TUPLE_MAX 16u /* events in one candidate */

typedef struct omen_asker omen_asker;

/* Calls `each` with the instances of a group, most likely ones first, until it
   says stop. Must be safe to call from several threads at once. */
typedef bool (*omen_asker_each) (void *context, const omen_eid *events,
                                 uint32_t count);
typedef void (*omen_enumerate) (const void *candidates, uint32_t group,
                                omen_asker_each each, void *context);
/* A group has its answer (called in order of the groups): the events found, the
   sequence, which may be taken over, and how many instances of the group are
   known to hold (quick answers only, and not more than a few hundred are
   tried). False: stop. */
typedef bool (*omen_answered) (void *context, uint32_t group,
                               const omen_eid *events, uint32_t count,
                               uint32_t instances, omen_ids *sequence);

/* What is asked about the events of an instance. */
typedef enum omen_inquiry_form {
  OMEN_ASK_NEXT,  /* can they be next together? */
  OMEN_ASK_ORDER, /* a, b: can both be taken, a before b, and unsynchronised? */
  OMEN_ASK_CROSS, /* e1, e1', e2', e2: can e1 be before e1', e2' before e2, and
                     e1' or e2' between e1 and e2? */
  OMEN_ASK_AFTER, /* a, b: can b be next after a was taken? */
  OMEN_ASK_SIGHT, /* a, b: the same, and would b see a in an atom in which it
                     must not (`bad`)? */
  OMEN_ASK_STEPS  /* can they come in this order, what they read preserved, but
                     for `loose` ones? */
} omen_inquiry_form;

/* OMEN_ASK_STEPS: bit i for event i of an instance. Orders hold within parts;
   one event may be in several. */
typedef struct omen_ask_steps {
  uint32_t first; /* it begins a part */
  uint32_t glued; /* it comes at once with the one before: with nothing between
                     them; they are parallel (omen_tracks_parallel) */
} omen_ask_steps;

/* What became of a group. */
typedef enum omen_ask_fate {
  OMEN_ASK_REFUTED,
  OMEN_ASK_FOUND,
  OMEN_ASK_UNDECIDED,
  OMEN_ASK_BEYOND /* undecided, only because windows are too small */
} omen_ask_fate;

typedef struct omen_inquiry {
  const char *what; /* for progress */
  const void *candidates;
  uint32_t groups;
  bool all; /* every instance is reported, not the first of a group */
  omen_inquiry_form form;
  omen_enumerate enumerate;
  omen_answered answered;
  omen_answered spare; /* some other instances, after the answer; or NULL */
  void *context;
  bool (*bad) (const omen_model *model, omen_eid write, omen_eid read,
               uint32_t atom); /* OMEN_ASK_SIGHT */
  const omen_ask_steps *steps; /* OMEN_ASK_STEPS: by group */
  const uint8_t *loose;        /* OMEN_ASK_STEPS: by event of the trace: it may
                                  see anything as the last of its thread */
  uint8_t *fates; /* OMEN_ASK_STEPS: by group, to be filled in; groups are not
                     counted in the statistics then */
} omen_inquiry;

omen_asker *omen_asker_new (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink);
void omen_asker_free (omen_asker *asker);
bool omen_asker_run (omen_asker *asker, const omen_inquiry *inquiry,
                     omen_predict_stats *stats);

#endif
