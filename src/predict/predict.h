/* Shared by all detectors: options in, findings out.

   A detector enumerates candidates, asks whether their events can be next
   together (asker.h), and gives each finding with its witness to the sink.
   Detectors neither verify nor print. */
#ifndef OMEN_PREDICT_PREDICT_H
#define OMEN_PREDICT_PREDICT_H

#include "base/share.h"
#include "model/engine.h"
#include "model/lattice.h"
#include "predict/atomic.h"
#include "witness/finding.h"

/* What gets one report each. */
typedef enum omen_group_by {
  OMEN_GROUP_LOCATION, /* pair of source locations */
  OMEN_GROUP_EVENT,    /* an access that races with an earlier one */
  OMEN_GROUP_VARIABLE,
  OMEN_GROUP_NONE, /* pair of events */
  OMEN_GROUPS
} omen_group_by;

/* The properties to check (monitor/property.h), and the identity of the file
   they come from. */
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
  double timeout;   /* seconds for each kind of question; 0: no limit */
  uint32_t breadth; /* lattice: most cuts of a level; 0: no limit */
  uint32_t from;    /* lattice: events before this one are past */
  bool runs;        /* lattice: count the runs */
  uint64_t asks;    /* tuples asked about for one report; 0: no limit */
  bool spares;      /* race: also report a few other pairs of each group, marked
                       `spare` */
  bool lifetimes_apart; /* race: leave out races with a free, which
                           omen_predict_lifetime reports */
  bool tries; /* deadlock: only cycles of locks, whatever reads see: schedules
                 to try (finding.h) */
  bool brief; /* nondet: report each location of a read once, with a lower bound
                 of the number of its pairs */
  const omen_predict_spec *spec; /* for omen_predict_property */
  const omen_atomic *atomic;     /* the blocks to be atomic; NULL: all */
  omen_share *share; /* work shared with other processes; NULL: none */
  omen_engine_options engine;
} omen_predict_options;

/* Start the clock for a kind of question; its time limit covers all it asks.
   Returns true. */
static inline bool
omen_predict_begin (omen_predict_options *options)
{
  options->engine.budget.until
      = options->timeout > 0 ? omen_now () + options->timeout : 0;
  return true;
}

/* The deadline in `seconds` from now, or at the end of the time for this kind
   of question, or when the engine is stopped. */
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

/* Not for the model lattice. */
static inline omen_preserve
omen_predict_preserve (const omen_predict_options *options)
{
  OMEN_REQUIRE (options->model != OMEN_MODEL_LATTICE);
  return options->tries                       ? OMEN_PRESERVE_NOTHING
         : options->model == OMEN_MODEL_RF    ? OMEN_PRESERVE_RF
         : options->model == OMEN_MODEL_VALUE ? OMEN_PRESERVE_VALUE
                                              : OMEN_PRESERVE_SLICED;
}

#define OMEN_DEFAULT_WINDOW 16384u
/* For properties: there are fewer questions, and their events lie far apart. */
#define OMEN_PROPERTY_WINDOW 131072u
#define OMEN_DEFAULT_ASKS 20000u
#define OMEN_DEFAULT_STEPS 4000u
#define OMEN_DEFAULT_WIDTH 16000000u /* cuts of a level, under 1 GB */

/* For all detectors except properties. */
static inline uint32_t
omen_predict_window (const omen_predict_options *options)
{
  return options->window ? options->window : OMEN_DEFAULT_WINDOW;
}

typedef struct omen_predict_stats {
  uint64_t candidates; /* groups that were asked about */
  uint64_t undecided;  /* groups without a verdict */
  uint64_t beyond; /* those of them for which only the window was too small */
  uint64_t quick_asked, quick_found, quick_absent;
  double quick_seconds;
  /* bindings of patterns decided by the engine, and by the search over cuts */
  uint64_t pattern_asked, pattern_machine;
  omen_engine_stats engine;
  omen_lattice_counts lattice; /* of the last walk; no levels if none */
} omen_predict_stats;

void omen_predict_stats_fini (omen_predict_stats *stats);
/* Add the counts of a worker, except those of the lattice. */
void omen_predict_stats_add (omen_predict_stats *sum,
                             const omen_predict_stats *more);
/* Write the counts and clear them, or read counts and add them. */
void omen_predict_stats_archive (omen_predict_stats *stats,
                                 omen_archive *archive);
/* Write the list and free it, or read it into an empty one. */
void omen_predict_ids_archive (omen_ids *ids, omen_archive *archive);

/* These return false if the sink returned false, or the engine was stopped
   before. */
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
/* Reports that the recorded run died of a signal caused by its own code. */
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
  uint32_t errors[3]; /* of them, those with before-, in-, after-errors */
  uint32_t predicted_before, predicted_after; /* … without in-errors */
  uint32_t predicted;                         /* with either of these */
  uint32_t verified, unverified, refuted;     /* reports */
} omen_sidetrack_table;
bool omen_predict_sidetrack (const omen_model *model,
                             const omen_predict_options *options,
                             const omen_sink *sink, omen_predict_stats *stats,
                             omen_sidetrack_table *table);
/* Cycles of atomic blocks in the recorded run itself (serial.h). */
bool omen_predict_observed (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);

/* Writes that can be the last of their variable at the end of the program. */
bool omen_predict_final (const omen_model *model,
                         const omen_predict_options *options,
                         const omen_sink *sink, omen_predict_stats *stats);

/* Verdicts of the properties' monitors in other runs: one report for each
   formula, category and location, or also for each binding if the group is not
   OMEN_GROUP_LOCATION. */
bool omen_predict_property (const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);

/* Fill in a finding. `events` go into the claim; takes ownership of
   `sequence`. */
void omen_predict_finding (const omen_model *model,
                           const omen_predict_options *options,
                           omen_finding_kind kind, omen_claim_kind claim,
                           const omen_eid *events, uint32_t count,
                           omen_ids *sequence, omen_finding *finding);

#endif
