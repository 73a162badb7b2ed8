/* The lattice against the oracle: on random traces as many cuts, runs and cuts
   a level, of what counts and of that and some other events; the same races;
   the same patterns (events in an order), carried along by a machine; every
   path verified. With a limited breadth nothing that is not true, and with
   breadth 1 the observed run.

     test_lattice_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 500,000. */
#include "draw.h"
#include "oracle.h"
#include "predict/predict.h"
#include "size.h"
#include "trace/text.h"
#include "witness/verify.h"

#include <inttypes.h>
#include <stdio.h>

/* At least so many patterns of 100 are possible, and so many are not. */
#define LEAST_SHARE 10
#define PATTERNS 8

typedef struct tally {
  uint64_t traces, wrong, cuts, races, patterns, possible;
} tally;

typedef struct subject {
  uint64_t seed;
  const omen_trace *trace;
  const omen_model *model;
  oracle *o;
  oracle *spoken_of; /* where the events of the patterns count, too */
  const oracle_claim *patterns; /* PATTERNS of them */
  omen_verifier *verifier;
  omen_lattice *plan; /* like spoken_of */
  tally *t;
} subject;

static void
complain (const subject *s, const char *what, uint64_t got, uint64_t wanted)
{
  printf ("# seed %" PRIu64 ": %s: %" PRIu64 ", oracle %" PRIu64 "\n", s->seed,
          what, got, wanted);
  fflush (stdout);
  omen_text_write (s->trace, stdout, NULL);
  s->t->wrong++;
}

static void
compare_shape (const subject *s, const oracle *o,
               const omen_lattice_counts *counts)
{
  const oracle_shape *shape = oracle_shape_of (o);
  if (counts->cuts != shape->cuts)
    complain (s, "cuts", counts->cuts, shape->cuts);
  if (strtoull (counts->runs, NULL, 10) != shape->runs)
    complain (s, "runs", strtoull (counts->runs, NULL, 10), shape->runs);
  if (counts->widths.count != shape->levels)
    complain (s, "levels", counts->widths.count, shape->levels);
  for (unsigned i = 0; i < shape->levels && i < counts->widths.count; i++)
    if (counts->widths.data[i] != shape->width[i])
      complain (s, "cuts of a level", counts->widths.data[i], shape->width[i]);
}

/* ---- races ---- */

typedef struct catch
{
  const subject *s;
  uint64_t found;
}
catch;

static bool
take (void *context, omen_finding *finding)
{
  catch *c = context;
  const omen_eid *e = finding->witness.claim.events.data;
  omen_err err = { 0 };
  c->found++;
  if (!omen_verify (c->s->verifier, &finding->witness, &err))
    complain (c->s, err.what, 0, 1);
  if (!oracle_race (c->s->o, e[0], e[1]))
    complain (c->s, "a race that is none", e[0], e[1]);
  omen_finding_fini (finding);
  return true;
}

static uint64_t
oracle_races (const subject *s)
{
  uint64_t count = 0;
  for (size_t i = 0; i < oracle_count (s->o); i++)
    count += oracle_claim_at (s->o, i)->kind == OMEN_CLAIM_RACE;
  return count;
}

static void
ask_races (const subject *s, uint32_t breadth)
{
  omen_predict_options options = { .model = OMEN_MODEL_LATTICE,
                                   .jobs = 1,
                                   .group = OMEN_GROUP_NONE,
                                   .runs = true,
                                   .breadth = breadth,
                                   .identity = omen_trace_identity (s->trace) };
  omen_predict_stats stats = { 0 };
  catch c = { s, 0 };
  omen_sink sink = { take, NULL, &c };
  omen_predict_race (s->model, &options, &sink, &stats);
  if (!breadth) {
    const omen_lattice_counts *counts = &stats.lattice;
    compare_shape (s, s->o, counts);
    if (c.found != oracle_races (s))
      complain (s, "races", c.found, oracle_races (s));
    s->t->races += c.found;
    s->t->cuts += counts->cuts;
  }
  for (size_t i = 0; breadth && i < stats.lattice.widths.count; i++)
    if (stats.lattice.widths.data[i] > breadth)
      complain (s, "more cuts than the breadth allows",
                stats.lattice.widths.data[i], breadth);
  if (breadth && stats.lattice.widths.count != oracle_shape_of (s->o)->levels)
    complain (s, "the observed run is lost", breadth, 0);
  omen_predict_stats_fini (&stats);
}

/* With breadth 1, patterns are those of the trace. */
static bool
in_trace (const subject *s, const oracle_claim *p)
{
  uint32_t last = 0;
  for (unsigned i = 0; i < p->count; i++) {
    uint32_t at = omen_model_position (s->model, p->events[i]);
    if (i && at < last)
      return false;
    last = at;
  }
  return true;
}

/* ---- patterns, by a machine: state 8 * pattern + how many have come ---- */

typedef struct hunt {
  const subject *s;
  omen_spot spots[PATTERNS];
} hunt;

static uint32_t
step (void *context, uint32_t state, uint32_t letter)
{
  const hunt *h = context;
  const oracle_claim *p = &h->s->patterns[state / 8];
  uint32_t come = state % 8;
  for (uint32_t i = come; i < p->count; i++)
    if (p->events[i] == letter)
      return i == come ? state + 1 : OMEN_NONE;
  return state;
}

static void
reached (void *context, uint32_t state, const omen_spot *spot)
{
  hunt *h = context;
  if (state % 8 == h->s->patterns[state / 8].count)
    omen_spot_take (h->s->plan, spot->key, spot->level, &h->spots[state / 8]);
}

static void
check_path (const hunt *h, const omen_lattice_options *options, uint32_t i)
{
  const oracle_claim *p = &h->s->patterns[i];
  omen_witness w;
  omen_err err = { 0 };
  omen_witness_init (&w);
  w.model = OMEN_MODEL_LATTICE;
  w.claim.kind = OMEN_CLAIM_PATTERN;
  for (unsigned k = 0; k < p->count; k++)
    OMEN_VEC_PUSH (w.claim.events, p->events[k]);
  omen_lattice_path (h->s->plan, options, &h->spots[i], 8 * i + p->count,
                     &w.sequence);
  if (!omen_verify (h->s->verifier, &w, &err))
    complain (h->s, err.what, i, 0);
  omen_witness_fini (&w);
}

static void
ask_patterns (const subject *s, uint32_t breadth)
{
  hunt h = { .s = s };
  uint32_t starts[PATTERNS];
  omen_ids letters = { 0 };
  omen_state_machine machine = {
    .step = step, .context = &h, .starts = starts, .start_count = PATTERNS
  };
  omen_lattice_options options = { .machine = &machine,
                                   .breadth = breadth,
                                   .runs = true,
                                   .reached = reached,
                                   .context = &h };
  omen_lattice_counts counts;
  for (uint32_t i = 0; i < PATTERNS; i++)
    starts[i] = 8 * i;
  for (omen_eid e = 0; e < s->model->event_count; e++)
    OMEN_VEC_PUSH (letters, e);
  machine.letters = letters.data;
  omen_lattice_walk (s->plan, &options, &counts);
  if (!breadth)
    compare_shape (s, s->spoken_of, &counts);
  for (uint32_t i = 0; i < PATTERNS; i++) {
    bool found = h.spots[i].key, possible = oracle_pattern (s->o, i);
    if (found > possible || (!breadth && found != possible))
      complain (s, "pattern", found, possible);
    if (breadth == 1 && found != in_trace (s, &s->patterns[i]))
      complain (s, "pattern of the observed run", found, !found);
    if (found)
      check_path (&h, &options, i);
    s->t->patterns += !breadth;
    s->t->possible += !breadth && possible;
    omen_spot_fini (&h.spots[i]);
  }
  omen_lattice_counts_fini (&counts);
  OMEN_VEC_FINI (letters);
}

/* ---- traces ---- */

/* Two to four different events each. */
static void
draw_patterns (const omen_trace *trace, uint64_t seed, oracle_claim *patterns)
{
  oracle_random random = { seed * 77 + 5 };
  for (int i = 0; i < PATTERNS; i++) {
    oracle_claim *p = &patterns[i];
    unsigned wanted = 2 + oracle_below (&random, 3);
    *p = (oracle_claim){ .kind = OMEN_CLAIM_PATTERN };
    while (p->count < wanted && p->count < trace->events.count) {
      omen_eid e = oracle_below (&random, (unsigned)trace->events.count);
      bool new = true;
      for (unsigned k = 0; k < p->count; k++)
        new = new && p->events[k] != e;
      if (new)
        p->events[p->count++] = e;
    }
  }
}

/* The events of the patterns count. */
static void
speak (subject *s, omen_err *err)
{
  uint8_t spoken[ORACLE_EVENTS] = { 0 };
  oracle_request request = { .spoken = 0 };
  for (int i = 0; i < PATTERNS; i++)
    for (unsigned k = 0; k < s->patterns[i].count; k++) {
      spoken[s->patterns[i].events[k]] = 1;
      request.spoken |= 1ull << s->patterns[i].events[k];
    }
  s->spoken_of = oracle_new (s->trace, OMEN_MODEL_LATTICE, &request, err);
  s->plan = omen_lattice_new (s->model, spoken);
}

static void
one_trace (uint64_t seed, tally *t)
{
  oracle_claim patterns[PATTERNS];
  oracle_request request = { .claims = ORACLE_RACE,
                             .patterns = patterns,
                             .pattern_count = PATTERNS };
  oracle_knobs knobs;
  omen_err err = { 0 };
  subject s = { .seed = seed, .t = t, .patterns = patterns };
  omen_trace *trace;
  draw_knobs (&knobs, seed);
  trace = oracle_generate (&knobs);
  draw_patterns (trace, seed, patterns);
  s.trace = trace;
  s.model = omen_model_new (trace, &err);
  s.verifier = omen_verifier_new (trace, &err);
  s.o = oracle_new (trace, OMEN_MODEL_LATTICE, &request, &err);
  if (s.model && s.verifier && s.o) {
    uint32_t breadth = 1 + (uint32_t)(seed % 4);
    speak (&s, &err);
    ask_races (&s, 0);
    ask_patterns (&s, 0);
    ask_races (&s, breadth);
    ask_patterns (&s, breadth);
    omen_lattice_free (s.plan);
  } else
    complain (&s, err.what, 0, 0);
  oracle_free (s.o);
  oracle_free (s.spoken_of);
  omen_verifier_free (s.verifier);
  omen_model_free ((omen_model *)s.model);
  omen_trace_free (trace);
  t->traces++;
}

static int
report (const tally *t)
{
  double possible = in_hundred (t->possible, t->patterns);
  bool both = possible >= LEAST_SHARE && possible <= 100 - LEAST_SHARE;
  printf ("# share %" PRIu64 " traces, %" PRIu64 " cuts, %" PRIu64
          " races, %" PRIu64 " patterns, %.1f of 100 possible\n",
          t->traces, t->cuts, t->races, t->patterns, possible);
  printf ("%s 1 - lattice and oracle agree on %" PRIu64 " traces\n",
          t->wrong ? "not ok" : "ok", t->traces);
  printf ("%s 2 - at least %d of 100 patterns are possible, and impossible\n",
          both ? "ok" : "not ok", LEAST_SHARE);
  printf ("%s 3 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t->wrong || !both || omen_mem_live ();
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
