/* Atomicity against the oracle: on random traces, under rf, value and sliced,
   `predict` finds exactly the violations of doc/semantics.md, in every way of
   grouping, and every witness is verified.

     test_atomicity_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 500,000. */
#include "in_portions.h"
#include "block_traces.h"
#include "judged.h"
#include "size.h"
#include "oracle.h"
#include "predict/predict.h"
#include "trace/text.h"
#include "witness/verify.h"

#include <stdio.h>
#include <string.h>

typedef struct tally {
  uint64_t traces, wrong, unknown, candidates, found, searched, two;
} tally;

typedef struct subject {
  uint64_t seed;
  const omen_trace *trace;
  const omen_model *model;
  omen_model_name name;
  const oracle *o;
  oracle_claims asked; /* every candidate */
  omen_verifier *verifier;
  const omen_atomic *atomic;
  tally *t;
} subject;

typedef struct catch
{
  oracle_claims claims;
  omen_verifier *verifier;
  omen_err err; /* the first witness that was not accepted */
}
catch;

static void
complain (const subject *s, const char *what, const oracle_claim *claim)
{
  judged_complain (s->seed, s->trace, s->name, claim, what);
  s->t->wrong++;
}

/* ---- predict ---- */

static bool
take (void *context, omen_finding *finding)
{
  catch *c = context;
  const omen_claim *found = &finding->witness.claim;
  oracle_claim claim = { .kind = found->kind, .count = 6 };
  OMEN_REQUIRE (found->events.count == 6 && finding->pattern
                && finding->blame.count);
  memcpy (claim.events, found->events.data, sizeof (omen_eid) * 6);
  omen_verify (c->verifier, &finding->witness, &c->err);
  OMEN_VEC_PUSH (c->claims, claim);
  omen_finding_fini (finding);
  return true;
}

static void
run_predict (const subject *s, omen_group_by by, uint32_t window, unsigned jobs,
             omen_share *share, catch *c)
{
  omen_sink sink = { take, NULL, c };
  omen_predict_stats stats = { 0 };
  omen_predict_options options
      = { .model = s->name,
          .group = by,
          .window = window,
          .jobs = jobs,
          .identity = omen_trace_identity (s->trace),
          .atomic = s->atomic,
          .share = share,
          .engine = { .budget = { .steps = 100000 } } };
  c->verifier = s->verifier;
  omen_predict_atomicity (s->model, &options, &sink, &stats);
  if (c->err.set)
    complain (s, c->err.what, NULL);
  s->t->unknown += window ? 0 : stats.undecided;
  if (by == OMEN_GROUP_NONE && !window) {
    s->t->candidates += s->asked.count;
    s->t->found += c->claims.count;
    s->t->searched += stats.engine.stage[OMEN_STAGE_SEARCH];
  }
}

/* ---- by combination of events ---- */

/* The block that is told is the innermost one; the others around are true as
   well. */
static bool
same_accesses (const oracle_claim *a, const oracle_claim *b)
{
  return a->events[1] == b->events[1] && a->events[2] == b->events[2]
         && a->events[4] == b->events[4] && a->events[5] == b->events[5];
}

static bool
has (const oracle_claims *claims, const oracle_claim *claim)
{
  for (size_t i = 0; i < claims->count; i++)
    if (same_accesses (&claims->data[i], claim))
      return true;
  return false;
}

/* Is it true, with the blocks it names? */
static bool
is_true (const subject *s, const oracle_claim *claim)
{
  for (size_t i = 0; i < oracle_count (s->o); i++)
    if (!memcmp (oracle_claim_at (s->o, i)->events, claim->events,
                 6 * sizeof (omen_eid)))
      return true;
  return false;
}

static void
check_true (const subject *s, const catch *c)
{
  for (size_t i = 0; i < c->claims.count; i++)
    if (!is_true (s, &c->claims.data[i]))
      complain (s, "predict says yes, oracle no", &c->claims.data[i]);
}

static void
ask_all (const subject *s)
{
  catch c = { 0 };
  run_predict (s, OMEN_GROUP_NONE, 0, 1, NULL, &c);
  check_true (s, &c);
  for (size_t i = 0; i < oracle_count (s->o); i++)
    if (!has (&c.claims, oracle_claim_at (s->o, i)))
      complain (s, "predict says no, oracle yes", oracle_claim_at (s->o, i));
  for (size_t i = 0; i < c.claims.count; i++) {
    s->t->two += c.claims.data[i].events[3] != OMEN_NONE;
    for (size_t k = 0; k < i; k++)
      if (same_accesses (&c.claims.data[i], &c.claims.data[k]))
        complain (s, "reported twice", &c.claims.data[i]);
  }
  OMEN_VEC_FINI (c.claims);
}

/* ---- by group ---- */

/* Of several true claims with the same accesses, the one with the innermost
   block names the group. */
static bool
is_innermost (const subject *s, const oracle_claim *claim)
{
  for (size_t i = 0; i < oracle_count (s->o); i++) {
    const oracle_claim *other = oracle_claim_at (s->o, i);
    if (same_accesses (claim, other) && other->events[0] > claim->events[0])
      return false;
  }
  return true;
}

static bool
same_group (const omen_trace *trace, omen_group_by by, const oracle_claim *a,
            const oracle_claim *b)
{
  for (int i = 0; i < 3; i++) {
    const omen_event *x = omen_trace_event (trace, a->events[i]);
    const omen_event *y = omen_trace_event (trace, b->events[i]);
    if (by == OMEN_GROUP_EVENT)
      return a->events[0] == b->events[0];
    if (i == 0 ? x->kind != y->kind || x->object != y->object
        : by == OMEN_GROUP_LOCATION
            ? x->location != y->location
            : trace->places.data[x->object].variable
                  != trace->places.data[y->object].variable)
      return false;
  }
  return true;
}

static void
ask_group (const subject *s, omen_group_by by)
{
  catch c = { 0 };
  run_predict (s, by, 0, 1, NULL, &c);
  check_true (s, &c);
  for (size_t i = 0; i < c.claims.count; i++)
    for (size_t k = 0; k < i; k++)
      if (same_group (s->trace, by, &c.claims.data[i], &c.claims.data[k]))
        complain (s, "a second report for one group", &c.claims.data[i]);
  for (size_t i = 0; i < oracle_count (s->o); i++) {
    const oracle_claim *claim = oracle_claim_at (s->o, i);
    bool found = !is_innermost (s, claim);
    for (size_t k = 0; k < c.claims.count && !found; k++)
      found = same_group (s->trace, by, claim, &c.claims.data[k]);
    if (!found)
      complain (s, "its group has no report", claim);
  }
  OMEN_VEC_FINI (c.claims);
}

/* ---- windows, workers ---- */

static void
ask_windows (const subject *s)
{
  static const uint32_t sizes[] = { 6, 9, 12 };
  catch c = { 0 };
  run_predict (s, OMEN_GROUP_NONE, sizes[s->seed % OMEN_COUNT (sizes)], 1, NULL,
               &c);
  check_true (s, &c);
  OMEN_VEC_FINI (c.claims);
}

/* Two jobs, or several processes, report what one does. */
static void
ask_together (const subject *s, uint32_t window, unsigned jobs,
              omen_share *share)
{
  catch one = { 0 }, two = { 0 };
  run_predict (s, OMEN_GROUP_LOCATION, window, 1, NULL, &one);
  run_predict (s, OMEN_GROUP_LOCATION, window, jobs, share, &two);
  if (one.claims.count != two.claims.count
      || (one.claims.count
          && memcmp (one.claims.data, two.claims.data,
                     one.claims.count * sizeof *one.claims.data)))
    complain (s,
              share ? "in portions something else is reported"
                    : "two jobs report something else than one",
              NULL);
  OMEN_VEC_FINI (one.claims);
  OMEN_VEC_FINI (two.claims);
}

static void
ask_jobs (const subject *s)
{
  omen_share portions = { run_in_portions };
  ask_together (s, 0, 2, NULL);
  ask_together (s, 0, 1, &portions);
  ask_together (s, 9, 1, &portions);
}

/* ---- traces ---- */

static void
ask_in_all_ways (subject *s)
{
  oracle_candidates (s->trace, OMEN_CLAIM_ATOMICITY, &s->asked);
  ask_all (s);
  for (omen_group_by by = OMEN_GROUP_LOCATION; by < OMEN_GROUP_NONE; by++)
    ask_group (s, by);
  ask_windows (s);
  if (s->seed % 16 == 1)
    ask_jobs (s);
  OMEN_VEC_FINI (s->asked);
}

static void
one_trace (uint64_t seed, const omen_atomic *atomic, tally *t)
{
  static const omen_model_name names[]
      = { OMEN_MODEL_RF, OMEN_MODEL_VALUE, OMEN_MODEL_SLICED };
  oracle_request request = { .claims = ORACLE_ATOMICITY };
  oracle_knobs knobs;
  judged j;
  bool legal;
  draw_block_knobs (&knobs, seed);
  legal = judged_init (&j, seed, oracle_generate (&knobs));
  t->wrong += !legal;
  for (size_t i = 0; legal && i < OMEN_COUNT (names); i++) {
    omen_err err = { 0 };
    oracle *o = oracle_new (j.trace, names[i], &request, &err);
    subject s = { .seed = seed,
                  .trace = j.trace,
                  .model = j.model,
                  .name = names[i],
                  .o = o,
                  .verifier = j.verifier,
                  .atomic = atomic,
                  .t = t };
    if (o)
      ask_in_all_ways (&s);
    oracle_free (o);
  }
  judged_fini (&j);
  t->traces++;
}

static int
report (const tally *t)
{
  bool enough = t->found * 20 > t->candidates && t->two * 50 > t->found
                && t->searched * 100 > t->candidates;
  printf ("# share %llu traces, %llu candidates, %llu found, %llu of them with "
          "two events between, %llu searched, %llu undecided\n",
          (unsigned long long)t->traces, (unsigned long long)t->candidates,
          (unsigned long long)t->found, (unsigned long long)t->two,
          (unsigned long long)t->searched, (unsigned long long)t->unknown);
  printf ("%s 1 - atomicity and oracle agree on %llu traces\n",
          t->wrong ? "not ok" : "ok", (unsigned long long)t->traces);
  printf ("%s 2 - nothing undecided\n", t->unknown ? "not ok" : "ok");
  printf ("%s 3 - of 100 candidates 5 found, 1 searched; 2 of 100 found with "
          "two events between\n",
          enough ? "ok" : "not ok");
  printf ("%s 4 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t->wrong || t->unknown || !enough || omen_mem_live ();
}

int
main (int argc, char **argv)
{
  uint64_t first, count = campaign_size (argc, argv, 2000, 500000, &first);
  omen_atomic every;
  tally t = { 0 };
  omen_atomic_init (&every, OMEN_ATOMIC_LISTED);
  every.every = true;
  for (uint64_t i = 0; i < count && t.wrong < ENOUGH; i++)
    one_trace (first + i, &every, &t);
  omen_atomic_fini (&every);
  return report (&t);
}
