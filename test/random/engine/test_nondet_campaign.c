/* Nondeterministic reads against the oracle: on random traces the same pairs of
   read and challenger with the same order, no more and no fewer; each of the
   three orders by itself; every witness verified. Windows, two jobs and other
   names change nothing that is true.

     test_nondet_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 500,000. */
#include "in_portions.h"
#include "draw.h"
#include "finals.h"
#include "oracle.h"
#include "predict/decider.h"
#include "rename.h"
#include "judged.h"
#include "size.h"
#include "trace/text.h"
#include "witness/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At least so many of 100 questions must be left open by the quick answers, and
   so many of 100 must be true. */
#define LEAST_OPEN 2
#define LEAST_TRUE 10

typedef struct tally {
  uint64_t traces, wrong, unknown;
  uint64_t questions, yes, planned, refuted, open;
  uint64_t pairs, findings, windows, jobs, renamed, finals;
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

static omen_predict_options
predict_options (const subject *s)
{
  return (omen_predict_options){ .model = s->name,
                                 .jobs = 1,
                                 .identity = omen_trace_identity (s->trace),
                                 .engine = { .budget = { 100000, 0 },
                                             /* half of them by all states */
                                             .states_first = s->seed % 2 } };
}

static void
complain (const subject *s, omen_eid read, omen_eid rival, const char *what)
{
  printf ("# seed %llu, model %s, read %u, challenger %d: %s\n",
          (unsigned long long)s->seed, omen_model_text (s->name), read,
          (int)rival, what);
  fflush (stdout);
  omen_text_write (s->trace, stdout, NULL);
  s->t->wrong++;
}

static bool
accepted (const subject *s, omen_eid read, omen_eid rival, unsigned order,
          const omen_ids *sequence, omen_err *err)
{
  omen_witness witness;
  bool ok;
  omen_witness_init (&witness);
  witness.identity = omen_trace_identity (s->trace);
  witness.trace_events = (uint32_t)s->trace->events.count;
  witness.model = s->name;
  witness.claim.kind = OMEN_CLAIM_NONDET;
  witness.claim.word = order;
  OMEN_VEC_PUSH (witness.claim.events, read);
  OMEN_VEC_PUSH (witness.claim.events, rival);
  for (size_t i = 0; i < sequence->count; i++)
    OMEN_VEC_PUSH (witness.sequence, sequence->data[i]);
  ok = omen_verify (s->verifier, &witness, err);
  omen_witness_fini (&witness);
  return ok;
}

/* ---- each order by itself ---- */

/* The engine, put all the questions that have a quick answer too. */
static void
ask_engine (const subject *s, omen_decider *decider, const omen_rival *rival,
            omen_rf_order order, omen_verdict quick)
{
  omen_decided decided;
  omen_verdict verdict = omen_decide_searched (decider, rival, order, &decided);
  omen_err err = { 0 };
  if (verdict == OMEN_FOUND
      && !accepted (s, rival->triple.read, rival->triple.rival, order,
                    &decided.sequence, &err))
    complain (s, rival->triple.read, rival->triple.rival, err.what);
  if (verdict != quick)
    complain (s, rival->triple.read, rival->triple.rival,
              "quick answer and engine do not agree");
  OMEN_VEC_FINI (decided.sequence);
}

/* One order of one triple; is it possible? */
static bool
ask_order (const subject *s, omen_decider *decider, const omen_rival *rival,
           omen_rf_order order)
{
  omen_decided decided;
  omen_verdict verdict = omen_decide (decider, rival, order, &decided);
  omen_err err = { 0 };
  s->t->questions++;
  s->t->yes += verdict == OMEN_FOUND;
  s->t->unknown += verdict == OMEN_UNKNOWN;
  s->t->planned += decided.quick == OMEN_FOUND;
  s->t->refuted += decided.quick == OMEN_ABSENT;
  s->t->open += decided.quick == OMEN_UNKNOWN;
  if (verdict == OMEN_FOUND && decided.quick == OMEN_FOUND)
    omen_plan_sequence (s->model, &decided.plan, &decided.sequence);
  if (verdict == OMEN_FOUND
      && !accepted (s, rival->triple.read, rival->triple.rival, order,
                    &decided.sequence, &err))
    complain (s, rival->triple.read, rival->triple.rival, err.what);
  OMEN_VEC_FINI (decided.sequence);
  if (s->seed % 8 == 3)
    ask_engine (s, decider, rival, order, verdict);
  return verdict == OMEN_FOUND;
}

static void
ask_read (const subject *s, omen_decider *decider, omen_eid read)
{
  omen_rivals rivals = { 0 };
  omen_rivals_of (s->model, read, s->name != OMEN_MODEL_RF, &rivals);
  for (size_t i = 0, j; i < rivals.count; i = j) {
    omen_eid rival = rivals.data[i].triple.rival;
    unsigned bits = 0, wanted = oracle_nondet (s->o, read, rival);
    for (j = i; j < rivals.count && rivals.data[j].triple.rival == rival; j++)
      for (omen_rf_order order = 0; order < OMEN_RF_ORDERS; order++)
        if (ask_order (s, decider, &rivals.data[j], order))
          bits |= 1u << order;
    if (bits != wanted) {
      char text[96];
      snprintf (text, sizeof text, "orders %u, oracle %u (1 wcr 2 crw 4 cr)",
                bits, wanted);
      complain (s, read, rival, text);
    }
  }
  OMEN_VEC_FINI (rivals);
}

static void
ask_decider (const subject *s)
{
  omen_predict_options options = predict_options (s);
  omen_quick *quick
      = omen_quick_new (s->model, omen_predict_preserve (&options));
  omen_decider *decider = omen_decider_new (s->model, quick, &options);
  omen_window *window = omen_window_new (
      s->model, omen_predict_preserve (&options), 0, s->model->event_count);
  omen_decider_aim (decider, window);
  for (omen_eid e = 0; e < s->model->event_count; e++)
    if (omen_kind_reads (omen_model_event (s->model, e)->kind))
      ask_read (s, decider, e);
  omen_decider_free (decider);
  omen_window_free (window);
  omen_quick_free (quick);
}

/* ---- predict ---- */

typedef struct claim {
  omen_eid read, rival;
  unsigned order;
} claim;

typedef struct catch
{
  OMEN_VEC (claim) claims;
  omen_ids sequences;
  omen_verifier *verifier;
  omen_err err; /* the first witness that was not accepted */
}
catch;

static bool
take (void *context, omen_finding *finding)
{
  catch *c = context;
  const omen_witness *w = &finding->witness;
  omen_verify (c->verifier, w, &c->err);
  OMEN_VEC_PUSH (c->claims,
                 ((claim){ w->claim.events.data[0], w->claim.events.data[1],
                           w->claim.word }));
  for (size_t i = 0; i < w->sequence.count; i++)
    OMEN_VEC_PUSH (c->sequences, w->sequence.data[i]);
  omen_finding_fini (finding);
  return true;
}

static bool
take_final (void *context, omen_finding *finding)
{
  catch *c = context;
  const omen_witness *w = &finding->witness;
  omen_verify (c->verifier, w, &c->err);
  OMEN_VEC_PUSH (c->claims, ((claim){ OMEN_NONE, w->claim.events.data[0], 0 }));
  omen_finding_fini (finding);
  return true;
}

static void
catch_fini (catch *c)
{
  OMEN_VEC_FINI (c->claims);
  OMEN_VEC_FINI (c->sequences);
}

static void
run_predict (const omen_model *model, const omen_predict_options *options,
             catch *c)
{
  omen_sink sink = { take, NULL, c };
  omen_predict_stats stats = { 0 };
  omen_predict_nondet (model, options, &sink, &stats);
}

static void
check_true (const subject *s, const catch *c)
{
  if (c->err.set)
    complain (s, OMEN_NONE, OMEN_NONE, c->err.what);
  for (size_t i = 0; i < c->claims.count; i++) {
    const claim *k = &c->claims.data[i];
    if (!(oracle_nondet (s->o, k->read, k->rival) & 1u << k->order))
      complain (s, k->read, k->rival, "predict says yes, oracle no");
  }
}

/* The oracle's claims, each with the best order. */
static void
check_all (const subject *s, const catch *c)
{
  size_t count = 0;
  for (size_t i = 0; i < oracle_count (s->o); i++)
    count += oracle_claim_at (s->o, i)->kind == OMEN_CLAIM_NONDET;
  if (c->claims.count != count)
    complain (s, OMEN_NONE, OMEN_NONE, "not the same number of findings");
  for (size_t i = 0; i < c->claims.count; i++) {
    const claim *k = &c->claims.data[i];
    unsigned bits = oracle_nondet (s->o, k->read, k->rival);
    if (bits & ((1u << k->order) - 1))
      complain (s, k->read, k->rival, "there is a better order");
  }
  s->t->pairs += count;
  s->t->findings += c->claims.count;
}

static void
ask_window (const subject *s)
{
  static const uint32_t sizes[] = { 6, 9, 12 };
  catch c = { .verifier = s->verifier };
  omen_predict_options options = predict_options (s);
  options.window = sizes[s->seed % OMEN_COUNT (sizes)];
  run_predict (s->model, &options, &c);
  check_true (s, &c);
  catch_fini (&c);
  s->t->windows++;
}

static bool
same_catch (const catch *a, const catch *b)
{
  return a->claims.count == b->claims.count
         && a->sequences.count == b->sequences.count
         && (!a->claims.count
             || !memcmp (a->claims.data, b->claims.data,
                         a->claims.count * sizeof *a->claims.data))
         && (!a->sequences.count
             || !memcmp (a->sequences.data, b->sequences.data,
                         a->sequences.count * sizeof *a->sequences.data));
}

/* As several processes do it, in windows, too. */
static void
ask_shared (const subject *s)
{
  omen_share portions = { run_in_portions };
  omen_predict_options options = predict_options (s);
  catch one = { .verifier = s->verifier }, many = { .verifier = s->verifier };
  options.window = s->seed % 32 < 16 ? 0 : 6;
  options.jobs = s->seed % 64 < 32 ? 1 : 2;
  run_predict (s->model, &options, &one);
  options.share = &portions;
  run_predict (s->model, &options, &many);
  if (!same_catch (&one, &many))
    complain (s, OMEN_NONE, OMEN_NONE, "in portions something else");
  catch_fini (&one);
  catch_fini (&many);
}

static void
ask_jobs (const subject *s, const catch *all)
{
  catch c = { .verifier = s->verifier };
  omen_predict_options options = predict_options (s);
  options.jobs = 2;
  run_predict (s->model, &options, &c);
  if (!same_catch (&c, all))
    complain (s, OMEN_NONE, OMEN_NONE, "two jobs report something else");
  catch_fini (&c);
  s->t->jobs++;
}

static void
ask_renamed (const subject *s, const catch *all)
{
  omen_trace *trace = renamed_trace (s->trace);
  omen_err err = { 0 };
  omen_model *model = omen_model_new (trace, &err);
  omen_predict_options options = predict_options (s);
  catch c = { .verifier = model ? omen_verifier_new (trace, &err) : NULL };
  options.identity = omen_trace_identity (trace);
  if (!c.verifier)
    complain (s, OMEN_NONE, OMEN_NONE, err.what);
  else
    run_predict (model, &options, &c);
  if (c.err.set)
    complain (s, OMEN_NONE, OMEN_NONE, c.err.what);
  if (c.claims.count != all->claims.count
      || (c.claims.count
          && memcmp (c.claims.data, all->claims.data,
                     c.claims.count * sizeof *c.claims.data)))
    complain (s, OMEN_NONE, OMEN_NONE, "other names, other findings");
  catch_fini (&c);
  omen_verifier_free (c.verifier);
  omen_model_free (model);
  omen_trace_free (trace);
  s->t->renamed++;
}

static void
ask_predict (const subject *s)
{
  catch c = { .verifier = s->verifier };
  omen_predict_options options = predict_options (s);
  run_predict (s->model, &options, &c);
  check_true (s, &c);
  check_all (s, &c);
  if (s->seed % 16 == 1)
    ask_jobs (s, &c);
  if (s->seed % 16 == 9)
    ask_shared (s);
  if (s->seed % 4 == 2)
    ask_renamed (s, &c);
  catch_fini (&c);
}

/* ---- final values ---- */

static void
ask_finals (const subject *s)
{
  catch c = { .verifier = s->verifier };
  omen_sink sink = { take_final, NULL, &c };
  omen_predict_options options = predict_options (s);
  omen_predict_stats stats = { 0 };
  omen_ids expected = { 0 };
  bool same;
  if (s->model->order || !finals_of (s->trace, s->name, &expected))
    return;
  omen_predict_final (s->model, &options, &sink, &stats);
  same = c.claims.count == expected.count;
  for (size_t i = 0; same && i < expected.count; i++)
    same = c.claims.data[i].rival == expected.data[i];
  if (c.err.set || !same || stats.undecided)
    complain (s, OMEN_NONE, OMEN_NONE,
              c.err.set ? c.err.what : "not the same final values");
  s->t->finals += expected.count;
  OMEN_VEC_FINI (expected);
  catch_fini (&c);
}

/* ---- traces ---- */

static void
one_trace (uint64_t seed, tally *t)
{
  static const omen_model_name names[]
      = { OMEN_MODEL_RF, OMEN_MODEL_VALUE, OMEN_MODEL_SLICED };
  oracle_request request = { .claims = ORACLE_NONDET };
  judged j;
  bool legal = judged_init (&j, seed, draw_trace (seed));
  t->wrong += !legal;
  for (size_t i = 0; legal && i < OMEN_COUNT (names); i++) {
    omen_err err = { 0 };
    oracle *o = oracle_new (j.trace, names[i], &request, &err);
    subject s = { seed, j.trace, j.model, names[i], o, j.verifier, t };
    if (o) {
      ask_decider (&s);
      ask_predict (&s);
      ask_window (&s);
      ask_finals (&s);
    }
    oracle_free (o);
  }
  judged_fini (&j);
  t->traces++;
}

static int
report (const tally *t)
{
  bool open = t->open * 100 >= t->questions * LEAST_OPEN;
  bool yes = t->yes * 100 >= t->questions * LEAST_TRUE && t->yes;
  printf (
      "# share %llu traces, %llu orders asked about, of 100: %.1f possible, "
      "%.1f planned, %.1f refuted by clocks, %.1f open\n",
      (unsigned long long)t->traces, (unsigned long long)t->questions,
      in_hundred (t->yes, t->questions), in_hundred (t->planned, t->questions),
      in_hundred (t->refuted, t->questions),
      in_hundred (t->open, t->questions));
  printf (
      "# share %llu findings, %llu final values; predict with windows %llu, two jobs %llu, "
      "other names %llu times\n",
      (unsigned long long)t->findings, (unsigned long long)t->finals,
      (unsigned long long)t->windows, (unsigned long long)t->jobs,
      (unsigned long long)t->renamed);
  printf ("%s 1 - nondet and oracle agree on %llu traces\n",
          t->wrong ? "not ok" : "ok", (unsigned long long)t->traces);
  printf ("%s 2 - nothing undecided\n", t->unknown ? "not ok" : "ok");
  printf ("%s 3 - at least %d of 100 questions go to the engine\n",
          open ? "ok" : "not ok", LEAST_OPEN);
  printf ("%s 4 - at least %d of 100 are possible\n", yes ? "ok" : "not ok",
          LEAST_TRUE);
  printf ("%s 5 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t->wrong || t->unknown || !open || !yes || omen_mem_live ();
}

int
main (int argc, char **argv)
{
  uint64_t first;
  uint64_t count = campaign_size (argc, argv, 2000, 500000, &first);
  tally t = { 0 };
  for (uint64_t i = 0; i < count && t.wrong < ENOUGH; i++)
    one_trace (first + i, &t);
  return report (&t);
}
