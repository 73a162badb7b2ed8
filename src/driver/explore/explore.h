/* The state of an exploration: known behaviours, plans for new runs, reasons
   for incompleteness. It does not run the program, but is given traces.

     omen_explore *x = omen_explore_new (&options, NULL);
     while (omen_explore_next (x, &plan)) {
       … the trace of a run under plan.text …
       omen_explore_take (x, &plan, trace, &run);
       omen_explore_plan_fini (&plan);
     }
     omen_explore_limits (x) is 0: all behaviours were seen */
#ifndef OMEN_DRIVER_EXPLORE_EXPLORE_H
#define OMEN_DRIVER_EXPLORE_EXPLORE_H

#include "driver/explore/frontier.h"
#include "explore/cuts.h"

/* What was learnt from a run. */
typedef struct omen_explored {
  bool new_behaviour; /* no earlier run had the same observations */
  bool new_pairs;     /* it covered pairs that no run had */
  bool followed;      /* it followed its plan */
  bool stuck;         /* no thread could continue */
  uint64_t behaviour; /* an identifier of its behaviour */
  size_t forks;       /* number of plans found */
} omen_explored;

typedef struct omen_explore_counts {
  uint64_t runs, behaviours, pairs, diverged;
  uint64_t last_new; /* number of the run with the last new behaviour */
} omen_explore_counts;

struct omen_spec_list;
typedef struct omen_explore omen_explore;

/* `specs`: violations of these properties are predicted, and run. It must
   outlive the exploration; NULL: there are none. */
omen_explore *omen_explore_new (const omen_cuts_options *options,
                                const struct omen_spec_list *specs);
void omen_explore_free (omen_explore *x);
/* Save the whole state to a file, or read it into a new exploration. */
void omen_explore_archive (omen_explore *x, omen_archive *archive);
/* Put back a plan that was taken but not run; it comes first. */
void omen_explore_return (omen_explore *x, const omen_explore_plan *plan);
/* The next plan; the first one is empty. False: there is none at present. The
   plan is owned by the caller. */
bool omen_explore_next (omen_explore *x, omen_explore_plan *plan);
omen_explore_plan omen_explore_first_plan (void);
/* The behaviour as in omen_explored; 0 if the trace cannot be analysed. */
uint64_t omen_explore_behaviour (const omen_trace *trace);
/* `whole`: at the end of the run no thread could continue. False: the trace
   cannot be analysed; see err. */
bool omen_explore_take (omen_explore *x, const omen_explore_plan *plan,
                        const omen_trace *trace, bool whole, omen_explored *run,
                        omen_err *err);
/* A run has shown a verdict of a property (omen_violation_key): no plan for
   another one is needed. */
void omen_explore_show (omen_explore *x, uint64_t verdict);
/* A run was too long to be analysed. */
void omen_explore_miss (omen_explore *x);
/* Record another reason for incompleteness (omen_limit_word). */
void omen_explore_limit (omen_explore *x, unsigned word);
unsigned omen_explore_limits (const omen_explore *x);
omen_explore_counts omen_explore_count (const omen_explore *x);
size_t omen_explore_waiting (const omen_explore *x);

#endif
