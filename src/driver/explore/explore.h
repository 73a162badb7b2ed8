/* What an exploration knows: runs so far, plans for new ones, what limits it.
   Runs no program: it is given traces.

     omen_explore *x = omen_explore_new (&options);
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

/* What one run was. */
typedef struct omen_explored {
  bool new_behaviour; /* no run observed all of this before */
  bool new_pairs;     /* it did something that none did before */
  bool followed;      /* its plan, if it had one */
  bool stuck;         /* no thread could go on */
  uint64_t behaviour; /* a number for it */
  size_t forks;       /* plans that were found */
} omen_explored;

typedef struct omen_explore_counts {
  uint64_t runs, behaviours, pairs, diverged;
  uint64_t last_new; /* the run with the last new behaviour */
} omen_explore_counts;

typedef struct omen_explore omen_explore;

omen_explore *omen_explore_new (const omen_cuts_options *options);
void omen_explore_free (omen_explore *x);
/* All of that, to a file or from one. Reading: into a new one. */
void omen_explore_tape (omen_explore *x, omen_tape *tape);
/* A plan that was taken and not run comes first again. */
void omen_explore_return (omen_explore *x, const omen_explore_plan *plan);
/* The first plan is empty. False: there is none (now). The plan is the
   caller's. */
bool omen_explore_next (omen_explore *x, omen_explore_plan *plan);
omen_explore_plan omen_explore_first_plan (void);
/* As in omen_explored; 0: it cannot be looked at. */
uint64_t omen_explore_behaviour (const omen_trace *trace);
/* `whole`: at its end nobody could go on. False: the trace is none that can be
   looked at; err says why. */
bool omen_explore_take (omen_explore *x, const omen_explore_plan *plan,
                        const omen_trace *trace, bool whole, omen_explored *run,
                        omen_err *err);
/* A run was too long for anybody to look at. */
void omen_explore_miss (omen_explore *x);
/* Something else limits what can be said (omen_limit_word). */
void omen_explore_limit (omen_explore *x, unsigned word);
unsigned omen_explore_limits (const omen_explore *x);
omen_explore_counts omen_explore_count (const omen_explore *x);
size_t omen_explore_waiting (const omen_explore *x);

#endif
