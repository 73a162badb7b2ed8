/* The engine against the oracle: on random traces, races and deadlocks under rf
   and value are the same set of events, no more and no fewer, asked in two
   ways: every candidate put to the engine alone, and `predict` as users run it
   (quick answers, windows), each finding verified.

     test_engine_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 1,000,000. */
#include "gen.h"
#include "oracle.h"
#include "predict/predict.h"
#include "trace/text.h"
#include "witness/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
  uint64_t traces, questions, found, searched, wrong, unknown;
} tally;

static const omen_engine_options engine_options
    = { .budget = { 100000, 0 } };

static void
complain (const omen_trace *trace, uint64_t seed, omen_model_name model,
          const char *what, const oracle_claim *claim)
{
  char text[128];
  oracle_claim_text (claim, text, sizeof text);
  printf ("# seed %llu, model %s, %s: %s\n", (unsigned long long)seed,
          omen_model_text (model), text, what);
  fflush (stdout);
  omen_text_write (trace, stdout, NULL);
}

static bool
truth (const oracle *o, const oracle_claim *claim)
{
  switch (claim->kind) {
  case OMEN_CLAIM_RACE:
    return oracle_race (o, claim->events[0], claim->events[1]);
  case OMEN_CLAIM_RACE_ORDER:
    return oracle_race_order (o, claim->events[0], claim->events[1]);
  default:
    return oracle_deadlock (o, claim->events, claim->count);
  }
}

static omen_question
question_for (const oracle_claim *claim)
{
  if (claim->kind == OMEN_CLAIM_RACE_ORDER)
    return (omen_question){ .take = claim->events,
                            .takes = 2,
                            .order = claim->events,
                            .orders = 1,
                            .has_avoid = true,
                            .avoid = { claim->events[0], claim->events[1] } };
  return (omen_question){ .next = claim->events, .nexts = claim->count };
}

static bool
accepted (omen_verifier *verifier, omen_model_name model, uint64_t identity,
          const oracle_claim *claim, omen_ids *sequence, uint32_t events,
          omen_err *err)
{
  omen_witness witness;
  bool ok;
  omen_witness_init (&witness);
  witness.identity = identity;
  witness.trace_events = events;
  witness.model = model;
  witness.claim.kind = claim->kind;
  for (unsigned i = 0; i < claim->count; i++)
    OMEN_VEC_PUSH (witness.claim.events, claim->events[i]);
  witness.sequence = *sequence;
  *sequence = (omen_ids){ 0 };
  ok = omen_verify (verifier, &witness, err);
  omen_witness_fini (&witness);
  return ok;
}

/* Every candidate of one kind, straight to the engine. */
static void
ask_engine (const omen_trace *trace, uint64_t seed, const omen_model *model,
            omen_model_name name, const oracle *o, omen_verifier *verifier,
            omen_claim_kind kind, tally *t)
{
  omen_window *window = omen_window_new (model, name == OMEN_MODEL_VALUE, 0,
                                         model->event_count);
  omen_engine *engine = omen_engine_new (window, &engine_options);
  oracle_claims claims = { 0 };
  uint64_t identity = omen_trace_identity (trace);
  oracle_candidates (trace, kind, &claims);
  for (size_t i = 0; i < claims.count; i++) {
    const oracle_claim *claim = &claims.data[i];
    omen_question q = question_for (claim);
    omen_engine_answer answer;
    omen_verdict verdict = omen_engine_ask (engine, &q, &answer);
    omen_err err = { 0 };
    bool holds = truth (o, claim);
    t->questions++;
    t->found += verdict == OMEN_FOUND;
    t->searched += answer.stage == OMEN_STAGE_SEARCH;
    t->unknown += verdict == OMEN_UNKNOWN;
    if (verdict == OMEN_FOUND
        && !accepted (verifier, name, identity, claim, &answer.events,
                      model->event_count, &err)) {
      complain (trace, seed, name, err.what, claim);
      t->wrong++;
    } else if (verdict != OMEN_UNKNOWN && holds != (verdict == OMEN_FOUND)) {
      complain (trace, seed, name,
                holds ? "engine says no, oracle yes"
                      : "engine says yes, oracle no",
                claim);
      t->wrong++;
    }
    OMEN_VEC_FINI (answer.events);
  }
  OMEN_VEC_FINI (claims);
  omen_engine_free (engine);
  omen_window_free (window);
}

/* ---- predict ---- */

typedef struct catch {
  oracle_claims claims;
  omen_verifier *verifier;
  omen_err err;
} catch;

static bool
take (void *context, omen_finding *finding)
{
  catch *c = context;
  oracle_claim claim = { .kind = finding->witness.claim.kind,
                         .count = (unsigned)finding->witness.claim.events.count };
  memcpy (claim.events, finding->witness.claim.events.data,
          claim.count * sizeof (omen_eid));
  omen_verify (c->verifier, &finding->witness, &c->err);
  OMEN_VEC_PUSH (c->claims, claim);
  omen_finding_fini (finding);
  return true;
}

/* How many deadlocks, or pairs of events that race in one way or the other. */
static size_t
expected_findings (const oracle *o, const omen_trace *trace, bool deadlocks)
{
  size_t count = 0;
  omen_eid events = (omen_eid)trace->events.count;
  for (size_t i = 0; deadlocks && i < oracle_count (o); i++)
    count += oracle_claim_at (o, i)->kind == OMEN_CLAIM_DEADLOCK;
  for (omen_eid a = 0; !deadlocks && a < events; a++)
    for (omen_eid b = a + 1; b < events; b++)
      count += oracle_race (o, a, b) || oracle_race_order (o, a, b)
               || oracle_race_order (o, b, a);
  return count;
}

/* What predict reports of one kind is true and is all there is. */
static void
ask_predict (const omen_trace *trace, uint64_t seed, const omen_model *model,
             omen_model_name name, const oracle *o, omen_verifier *verifier,
             omen_claim_kind kind, uint32_t window, tally *t)
{
  catch c = { .verifier = verifier };
  omen_sink sink = { take, NULL, &c };
  omen_predict_options options = { .model = name,
                                   .group = OMEN_GROUP_NONE,
                                   .window = window,
                                   .jobs = 1,
                                   .identity = omen_trace_identity (trace),
                                   .engine = engine_options };
  omen_predict_stats stats = { 0 };
  size_t expected = expected_findings (o, trace, kind != OMEN_CLAIM_RACE);
  if (kind == OMEN_CLAIM_RACE)
    omen_predict_race (model, &options, &sink, &stats);
  else
    omen_predict_deadlock (model, &options, &sink, &stats);
  if (c.err.set) {
    complain (trace, seed, name, c.err.what, &c.claims.data[0]);
    t->wrong++;
  }
  for (size_t i = 0; i < c.claims.count; i++)
    if (!truth (o, &c.claims.data[i])) {
      complain (trace, seed, name, "predict says yes, oracle no",
                &c.claims.data[i]);
      t->wrong++;
    }
  if (window ? c.claims.count > expected : c.claims.count != expected) {
    printf ("# seed %llu, model %s: %zu findings, oracle %zu\n",
            (unsigned long long)seed, omen_model_text (name), c.claims.count,
            expected);
    for (size_t i = 0; i < c.claims.count; i++)
      complain (trace, seed, name, "predicted", &c.claims.data[i]);
    t->wrong++;
  }
  OMEN_VEC_FINI (c.claims);
}

static void
one_trace (uint64_t seed, tally *t)
{
  static const omen_model_name names[] = { OMEN_MODEL_RF, OMEN_MODEL_VALUE };
  oracle_wish wish
      = { .claims = ORACLE_RACE | ORACLE_RACE_ORDER | ORACLE_DEADLOCK };
  oracle_knobs knobs;
  omen_trace *trace;
  omen_model *model;
  omen_verifier *verifier;
  omen_err err = { 0 };
  oracle_knobs_default (&knobs, seed);
  trace = oracle_generate (&knobs);
  model = omen_model_new (trace, &err);
  verifier = omen_verifier_new (trace, &err);
  if (!model || !verifier) {
    printf ("# seed %llu: %s\n", (unsigned long long)seed, err.what);
    t->wrong++;
  }
  for (size_t i = 0; model && verifier && i < OMEN_COUNT (names); i++) {
    oracle *o = oracle_new (trace, names[i], &wish, &err);
    for (omen_claim_kind kind = OMEN_CLAIM_RACE;
         o && kind <= OMEN_CLAIM_DEADLOCK; kind++) {
      ask_engine (trace, seed, model, names[i], o, verifier, kind, t);
      if (kind == OMEN_CLAIM_RACE_ORDER)
        continue;
      ask_predict (trace, seed, model, names[i], o, verifier, kind, 0, t);
      ask_predict (trace, seed, model, names[i], o, verifier, kind, 6, t);
    }
    oracle_free (o);
  }
  omen_verifier_free (verifier);
  omen_model_free (model);
  omen_trace_free (trace);
  t->traces++;
}

int
main (int argc, char **argv)
{
  const char *scale = getenv ("OMEN_CAMPAIGN");
  uint64_t count = scale && !strcmp (scale, "long") ? 1000000 : 2000;
  uint64_t first = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  tally t = { 0 };
  double share;
  if (argc > 1)
    count = strtoull (argv[1], NULL, 10);
  for (uint64_t i = 0; i < count && t.wrong < 5; i++)
    one_trace (first + i, &t);
  share = t.questions ? 100.0 * (double)t.searched / (double)t.questions : 0;
  printf ("# share %llu traces, %llu questions, %llu found, %.1f of 100 "
          "searched, %llu undecided\n",
          (unsigned long long)t.traces, (unsigned long long)t.questions,
          (unsigned long long)t.found, share, (unsigned long long)t.unknown);
  printf ("%s 1 - engine and oracle agree on %llu traces\n",
          t.wrong ? "not ok" : "ok", (unsigned long long)t.traces);
  printf ("%s 2 - nothing undecided\n", t.unknown ? "not ok" : "ok");
  printf ("%s 3 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t.wrong || t.unknown || omen_mem_live ();
}
