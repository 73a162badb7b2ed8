/* What all detectors have in common: options in, findings out.

   A detector makes candidates, asks whether their events can be next together
   (asker.h), and hands a finding with its witness to the sink. Detectors never
   verify and never print. */
#ifndef OMEN_PREDICT_PREDICT_H
#define OMEN_PREDICT_PREDICT_H

#include "model/engine.h"
#include "model/lattice.h"
#include "predict/atomic.h"
#include "witness/finding.h"

/* One report for each … */
typedef enum omen_group_by {
  OMEN_GROUP_LOCATION, /* pair of source locations */
  OMEN_GROUP_EVENT,    /* second access that races with an earlier one */
  OMEN_GROUP_VARIABLE,
  OMEN_GROUP_NONE, /* pair of events */
  OMEN_GROUPS
} omen_group_by;

/* Properties to look for (monitor/property.h), and the identity of their
   file. */
struct omen_property;
typedef struct omen_predict_spec {
  const struct omen_property *properties;
  uint32_t count;
  uint64_t identity;
} omen_predict_spec;

typedef struct omen_predict_options {
  omen_model_name model;
  uint64_t identity; /* of the trace, for witnesses */
  omen_group_by group;
  uint32_t window;  /* events; 0: the default */
  unsigned jobs;    /* worker threads, at least 1 */
  double timeout;   /* seconds for each kind of question; 0: none */
  uint32_t breadth; /* lattice: cuts a level at most; 0: all */
  uint32_t from;    /* lattice: so many events are past */
  bool runs;        /* lattice: count them */
  uint64_t asks;    /* instances asked about for one report; 0: no limit */
  bool spares; /* race: a few other pairs of each report, too, as findings that
                  are `spare` */
  bool lifetimes_apart; /* race: not what one of the accesses frees, which
                           omen_predict_lifetime is asked, too */
  bool brief; /* nondet: a location of a read is reported once, with a count of
                 at least as many pairs as there are */
  const omen_predict_spec *spec; /* for omen_predict_property */
  const omen_atomic *atomic;     /* blocks meant to be atomic; NULL: all */
  omen_engine_options engine;
} omen_predict_options;

/* A kind of question begins: what it asks ends in time, all of it. True. */
static inline bool
omen_predict_begin (omen_predict_options *options)
{
  options->engine.budget.until
      = options->timeout > 0 ? omen_now () + options->timeout : 0;
  return true;
}

/* So many seconds from now, or when the kind's time is over, or the engine is
   told to stop. */
static inline omen_deadline
omen_predict_deadline (const omen_predict_options *options, double seconds)
{
  omen_budget budget = options->engine.budget;
  budget.seconds = seconds;
  return omen_budget_deadline (&budget);
}

static inline bool
omen_predict_stopped (const omen_predict_options *options)
{
  return options->engine.budget.stop && *options->engine.budget.stop;
}

/* For all models but lattice. */
static inline omen_preserve
omen_predict_preserve (const omen_predict_options *options)
{
  OMEN_REQUIRE (options->model != OMEN_MODEL_LATTICE);
  return options->model == OMEN_MODEL_RF      ? OMEN_PRESERVE_RF
         : options->model == OMEN_MODEL_VALUE ? OMEN_PRESERVE_VALUE
                                              : OMEN_PRESERVE_SLICED;
}

#define OMEN_DEFAULT_WINDOW 16384u
/* Of properties: questions are few, and their events far apart. */
#define OMEN_PROPERTY_WINDOW 131072u
#define OMEN_DEFAULT_ASKS 20000u
#define OMEN_DEFAULT_STEPS 4000u
#define OMEN_DEFAULT_WIDTH 16000000u /* cuts of a level: under 1 GB */

/* For all but properties. */
static inline uint32_t
omen_predict_window (const omen_predict_options *options)
{
  return options->window ? options->window : OMEN_DEFAULT_WINDOW;
}

typedef struct omen_predict_stats {
  uint64_t candidates; /* groups asked about */
  uint64_t undecided;  /* groups that ended without a verdict */
  uint64_t beyond;     /* … of them, only because windows are too small */
  uint64_t quick_asked, quick_found, quick_absent;
  double quick_seconds;
  /* bindings of patterns: put to the engine, and left to the machine search */
  uint64_t pattern_asked, pattern_machine;
  omen_engine_stats engine;
  omen_lattice_counts lattice; /* of the last walk; no levels: none */
} omen_predict_stats;

void omen_predict_stats_fini (omen_predict_stats *stats);
/* Add what one worker counted: all but the lattice. */
void omen_predict_stats_add (omen_predict_stats *sum,
                             const omen_predict_stats *more);

/* False: the sink said stop, or the engine had been told to before. */
bool omen_predict_race (const omen_model *model,
                        const omen_predict_options *options,
                        const omen_sink *sink, omen_predict_stats *stats);
bool omen_predict_deadlock (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);
bool omen_predict_lifetime (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);
bool omen_predict_misuse (const omen_model *model,
                          const omen_predict_options *options,
                          const omen_sink *sink, omen_predict_stats *stats);
/* The run that the trace is of died of a signal that its own code caused. */
bool omen_predict_failure (const omen_model *model,
                           const omen_predict_options *options,
                           const omen_sink *sink, omen_predict_stats *stats);
bool omen_predict_atomicity (const omen_model *model,
                             const omen_predict_options *options,
                             const omen_sink *sink, omen_predict_stats *stats);

bool omen_predict_nondet (const omen_model *model,
                          const omen_predict_options *options,
                          const omen_sink *sink, omen_predict_stats *stats);
/* Atomicity violations by SideTrack's rules (sidetrack.h), each put to the
   engine: predicted (with an atomicity witness), unverified (with a pattern
   witness if the acquires can come in that order) or refuted. */
typedef struct omen_sidetrack_table {
  uint32_t methods;   /* blocks with errors, by name */
  uint32_t errors[3]; /* with before-, in-, after-errors */
  uint32_t predicted_before, predicted_after; /* but without in-errors */
  uint32_t predicted;                         /* one or the other */
  uint32_t verified, unverified, refuted;     /* reports */
} omen_sidetrack_table;
bool omen_predict_sidetrack (const omen_model *model,
                             const omen_predict_options *options,
                             const omen_sink *sink, omen_predict_stats *stats,
                             omen_sidetrack_table *table);
/* Cycles of atomic blocks in the run itself (serial.h). */
bool omen_predict_observed (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);

/* Writes that can be the last of their variable when the program ends. */
bool omen_predict_final (const omen_model *model,
                         const omen_predict_options *options,
                         const omen_sink *sink, omen_predict_stats *stats);

/* Verdicts of the properties' monitors that other runs reach: one report for
   each formula, category and place (OMEN_GROUP_LOCATION), or for each binding
   too. */
bool omen_predict_property (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);

/* Fill a finding in: events go to the claim, `sequence` is taken over. */
void omen_predict_finding (const omen_model *model,
                           const omen_predict_options *options,
                           omen_finding_kind kind, omen_claim_kind claim,
                           const omen_eid *events, uint32_t count,
                           omen_ids *sequence, omen_finding *finding);

#endif
