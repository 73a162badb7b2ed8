/* What the parts of the engine campaign share: one trace under one model, with
   all who have something to say about it. */
#ifndef OMEN_TEST_ENGINE_CAMPAIGN_H
#define OMEN_TEST_ENGINE_CAMPAIGN_H

#include "gen.h"
#include "oracle.h"
#include "predict/predict.h"
#include "witness/verify.h"

typedef struct share {
  uint64_t questions, found, searched, states;
} share;

typedef struct tally {
  uint64_t traces, wrong, unknown;
  uint64_t doubtful; /* claims that hold only without orders of libraries */
  share kinds[OMEN_CLAIM_DEADLOCK + 1];    /* by omen_claim_kind */
  uint64_t windows, groups, jobs, renamed; /* runs of predict of each sort */
} tally;

typedef struct subject {
  uint64_t seed;
  const omen_trace *trace;
  const omen_model *model;
  omen_model_name name;
  const oracle *o;
  omen_verifier *verifier;
  tally *t;
} subject;

/* What one run of predict reported. */
typedef struct catch
{
  oracle_claims claims;
  omen_ids sequences; /* one after the other, each with its length before it */
  omen_verifier *verifier;
  omen_err err; /* the first witness that was not accepted */
}
catch;

extern const omen_engine_options campaign_engine;

/* Counts as one wrong answer; prints the trace. */
void complain (const subject *s, const char *what, const oracle_claim *claim);
bool truth (const oracle *o, const oracle_claim *claim);
/* Does the pair race, in one way or the other? */
bool pair_races (const oracle *o, omen_eid a, omen_eid b);
void catch_fini (catch *c);
/* predict, as users run it. */
void run_predict (const omen_trace *trace, const omen_model *model,
                  const omen_predict_options *options, bool deadlocks,
                  catch *c);
omen_predict_options predict_options (const subject *s);

/* variants.c: groups, two jobs, other names; `all` is what is reported without
   grouping. */
void ask_variants (const subject *s, bool deadlocks, const catch *all);

#endif
