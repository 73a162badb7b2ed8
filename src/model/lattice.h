/* The computation lattice (Sen, Rosu, Agha, section 6): all runs that the model
   `lattice` allows, level by level. A cut is a set of steps (the events that
   matter, lattice_plan.h) that can have happened; its level is their number. A
   step leads from one level to the next. Two levels are in memory at a time.

     T1: a b     T2: c        level 0   1   2   3
                              {} -> a - ab -\
                                 \     X     abc       widths 1 2 2 1, 3 runs
                                  `- c - ac /

     omen_lattice *plan = omen_lattice_new (model, NULL);
     omen_lattice_walk (plan, &(omen_lattice_options){ .runs = true }, &counts);
     puts (counts.runs);
     omen_lattice_counts_fini (&counts);

   Where the paper compares vector clocks and atomicity identifiers, a cut is
   checked only for what the thread's next event adds to them (lattice_plan.h),
   and no message queue is needed, since the whole trace is in memory. A state
   machine (state_sets.h) carries the paper's sets of monitor states.

   Paths are not stored: omen_lattice_path walks again, up to the cut in
   question and only through cuts below it. */
#ifndef OMEN_MODEL_LATTICE_H
#define OMEN_MODEL_LATTICE_H

#include "base/now.h"
#include "model/lattice_plan.h"
#include "model/state_sets.h"

/* A remembered cut, for omen_lattice_path. */
typedef struct omen_spot {
  uint32_t level;
  uint64_t *key; /* plan->key_words */
} omen_spot;

typedef struct omen_lattice_options {
  uint32_t breadth; /* most cuts of a level, 0: no limit; those nearest to the
                       observed run are kept */
  uint32_t from; /* this many events of the observed run are fixed: up to there
                    a level has only the cut of that run */
  bool runs;     /* count them */
  uint32_t most_width; /* a level with more ends the walk; 0: no limit */
  omen_deadline deadline;
  const omen_state_machine *machine; /* or NULL */
  /* Every cut, before its steps are taken; may be NULL. */
  void (*visit) (void *context, const omen_lattice *plan, const uint64_t *cut,
                 uint32_t level);
  /* A state of the machine that no earlier cut had, except starting states; may
     be NULL. The spot is borrowed. */
  void (*reached) (void *context, uint32_t state, const omen_spot *spot);
  void *context;
} omen_lattice_options;

typedef struct omen_lattice_counts {
  uint64_t cuts;
  OMEN_VEC (uint64_t) widths; /* by level */
  char *runs;  /* number of complete runs, in decimal; NULL: not counted */
  size_t peak; /* bytes in use at once */
  double seconds;
  bool pruned;     /* by the breadth */
  bool unfinished; /* by the limits */
} omen_lattice_counts;

/* Owner of counts: the caller, _fini. */
void omen_lattice_walk (const omen_lattice *plan,
                        const omen_lattice_options *options,
                        omen_lattice_counts *counts);
void omen_lattice_counts_fini (omen_lattice_counts *counts);

/* For `visit`: do rules 1 to 4 enable the step? The atomic sets are not
   checked. */
bool omen_lattice_enabled (const omen_lattice *plan, const uint64_t *cut,
                           const omen_lattice_step *step);

void omen_spot_take (const omen_lattice *plan, const uint64_t *cut,
                     uint32_t level, omen_spot *spot);
void omen_spot_fini (omen_spot *spot);

/* The events of a path to the spot that brings the machine to `state`
   (OMEN_NONE: any), including events that are no steps but must come before.
   The spot must come from a walk with the same options. False: a limit was
   reached. */
bool omen_lattice_path (const omen_lattice *plan,
                        const omen_lattice_options *options,
                        const omen_spot *spot, uint32_t state,
                        omen_ids *events);

/* Insert into a path of steps the other events that must come before them. */
void omen_lattice_fill (const omen_lattice *plan, omen_ids *events);
/* Append to a path the events that are no steps and must come before the
   claimed events, which are next. */
void omen_lattice_lead (const omen_lattice *plan, const omen_eid *claimed,
                        uint32_t count, omen_ids *events);

#endif
