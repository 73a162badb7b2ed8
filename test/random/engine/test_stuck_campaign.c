/* Threads that are stuck, against the oracle: on random traces with waits,
   semaphores, barriers and blocks of memory, `predict` finds the same sets of
   threads as the search of the oracle, no more and no fewer, and each has a
   witness that the verifier takes. In small windows it finds no more.

     test_stuck_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 500,000. */
#include "gen.h"
#include "io/text_read.h"
#include "judged.h"
#include "predict/predict.h"
#include "sections.h"
#include "size.h"
#include "stuck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
  uint64_t traces, wrong, claims, with_claims, undecided;
  uint64_t sections; /* traces that sections_draw made; others: */
  uint64_t waits, semaphores, barriers, heaps; /* traces that have them */
  uint64_t sleeping, counting, closed;         /* claims of each sort */
} tally;

typedef struct subject {
  uint64_t seed;
  judged j;
  omen_model_name name;
  oracle_claims expected, found;
  tally *t;
} subject;

static void
complain (const subject *s, const oracle_claim *claim, const char *what)
{
  judged_complain (s->seed, s->j.trace, s->name, claim, what);
  s->t->wrong++;
}

/* ---- traces ---- */

/* Ends of threads are seen in most traces: without, hardly anything hangs. */
static void
add_ends (const omen_trace *trace, oracle_random *random, FILE *out)
{
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    uint32_t count = trace->threads.data[t].count;
    omen_eid last = count ? omen_trace_nth (trace, t, count - 1) : OMEN_NONE;
    unsigned kind
        = last == OMEN_NONE ? OMEN_WAIT : omen_trace_event (trace, last)->kind;
    bool joined = false;
    for (omen_eid e = 0; e < trace->events.count; e++)
      joined |= omen_trace_event (trace, e)->kind == OMEN_JOIN
                && omen_trace_event (trace, e)->object == t;
    if (!omen_kind_waits (kind) && !joined && oracle_chance (random, 80))
      fprintf (out, "%s|ended()\n", omen_trace_thread_name (trace, t));
  }
}

static omen_trace *
draw (uint64_t seed)
{
  oracle_random random = { seed ^ 0x5eed };
  oracle_knobs knobs;
  omen_trace *trace, *with;
  omen_err err = { 0 };
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  oracle_knobs_default (&knobs, seed);
  knobs.shortest = 6;
  knobs.longest = 15;
  knobs.cut = oracle_chance (&random, 20) ? 50 : 0;
  knobs.wait += oracle_chance (&random, 35) ? ORACLE_SURE + 5 : 0;
  knobs.bare_wait += oracle_chance (&random, 25) ? ORACLE_SURE : 0;
  knobs.semaphore += oracle_chance (&random, 80) ? ORACLE_SURE + 9 : 0;
  knobs.barrier += oracle_chance (&random, 90) ? ORACLE_SURE : 0;
  knobs.heap += oracle_chance (&random, 80) ? ORACLE_SURE : 0;
  knobs.child += oracle_chance (&random, 50) ? ORACLE_SURE + 5 : 0;
  if (seed % 4 == 0) { /* several that wait at one condition */
    knobs.bare_wait += ORACLE_SURE + 60;
    knobs.notify += ORACLE_SURE + 20;
    knobs.access = knobs.section = knobs.crossing = 0;
    knobs.threads = 4;
  }
  if (seed % 8 == 1) {
    char *sections
        = sections_draw (seed, (sections_kind){ .conditions = true });
    trace = omen_text_parse ("random", sections, strlen (sections), &err);
    OMEN_REQUIRE (trace);
    free (sections); /* open_memstream's */
  } else
    trace = oracle_generate (&knobs);
  OMEN_REQUIRE (out && omen_text_write (trace, out, NULL));
  add_ends (trace, &random, out);
  OMEN_REQUIRE (!fclose (out));
  omen_trace_free (trace);
  with = omen_text_parse ("random", text, strlen (text), &err);
  OMEN_REQUIRE (with);
  free (text); /* open_memstream's */
  return with;
}

static void
count_kinds (const omen_trace *trace, tally *t)
{
  bool has[OMEN_KINDS] = { false };
  for (omen_eid e = 0; e < trace->events.count; e++)
    has[omen_trace_event (trace, e)->kind] = true;
  t->waits += has[OMEN_WAIT];
  t->semaphores += has[OMEN_SEM_DOWN];
  t->barriers += has[OMEN_ARRIVE];
  t->heaps += has[OMEN_ALLOC] || has[OMEN_FREE];
}

/* ---- what predict finds ---- */

static bool
take (void *context, omen_finding *finding)
{
  subject *s = context;
  const omen_witness *w = &finding->witness;
  oracle_claim claim
      = { .kind = w->claim.kind, .count = (unsigned)w->claim.events.count };
  omen_err err = { 0 };
  if (w->claim.kind == OMEN_CLAIM_STUCK) {
    memcpy (claim.events, w->claim.events.data,
            claim.count * sizeof (omen_eid));
    if (!omen_verify (s->j.verifier, w, &err))
      complain (s, &claim, err.what);
    OMEN_VEC_PUSH (s->found, claim);
  }
  omen_finding_fini (finding);
  return true;
}

static void
predict (subject *s, uint32_t window)
{
  omen_predict_options options = { .model = s->name,
                                   .group = OMEN_GROUP_NONE,
                                   .jobs = 1,
                                   .window = window,
                                   .identity = omen_trace_identity (s->j.trace),
                                   .engine = { .budget = { .steps = 100000 },
                                               .states_first = s->seed % 2 } };
  omen_sink sink = { take, NULL, s };
  omen_predict_stats stats = { 0 };
  OMEN_VEC_CLEAR (s->found);
  omen_predict_deadlock (s->j.model, &options, &sink, &stats);
  if (!window)
    s->t->undecided += stats.undecided;
  omen_predict_stats_fini (&stats);
}

static bool
has (const oracle_claims *claims, const oracle_claim *claim)
{
  unsigned found = 0;
  for (size_t i = 0; i < claims->count; i++)
    found += claims->data[i].count == claim->count
             && !memcmp (claims->data[i].events, claim->events,
                         claim->count * sizeof (omen_eid));
  return found == 1;
}

static void
compare (subject *s, bool all)
{
  for (size_t i = 0; i < s->found.count; i++)
    if (!has (&s->expected, &s->found.data[i]))
      complain (s, &s->found.data[i], "predict says yes, oracle no");
    else if (!has (&s->found, &s->found.data[i]))
      complain (s, &s->found.data[i], "found twice");
  for (size_t i = 0; all && i < s->expected.count; i++)
    if (!has (&s->found, &s->expected.data[i]))
      complain (s, &s->expected.data[i], "oracle says yes, predict no");
}

static void
count_claims (const subject *s)
{
  const omen_trace *trace = s->j.trace;
  s->t->claims += s->expected.count;
  s->t->with_claims += s->expected.count > 0;
  for (size_t i = 0; i < s->expected.count; i++) {
    const oracle_claim *claim = &s->expected.data[i];
    bool sleeps = false, counts = false;
    for (unsigned k = 0; k < claim->count; k++) {
      unsigned kind = omen_trace_event (trace, claim->events[k])->kind;
      sleeps |= kind == OMEN_WAIT;
      counts |= kind == OMEN_SEM_DOWN || kind == OMEN_ARRIVE;
    }
    s->t->sleeping += sleeps;
    s->t->counting += counts;
    s->t->closed += !sleeps && !counts;
  }
}

static void
one_model (subject *s)
{
  omen_err err = { 0 };
  OMEN_VEC_CLEAR (s->expected);
  if (!oracle_stucks (s->j.trace, s->name, &s->expected, &err))
    return;
  predict (s, 0);
  compare (s, s->name != OMEN_MODEL_SLICED);
  predict (s, 4 + (uint32_t)(s->seed % 8));
  compare (s, false);
  if (s->name == OMEN_MODEL_VALUE)
    count_claims (s);
}

static void
one_trace (uint64_t seed, tally *t)
{
  static const omen_model_name names[]
      = { OMEN_MODEL_RF, OMEN_MODEL_VALUE, OMEN_MODEL_SLICED };
  subject s = { .seed = seed, .t = t };
  bool legal = judged_init (&s.j, seed, draw (seed));
  t->wrong += !legal;
  t->sections += seed % 8 == 1;
  if (seed % 8 != 1)
    count_kinds (s.j.trace, t);
  for (size_t i = 0; legal && i < OMEN_COUNT (names); i++) {
    s.name = names[i];
    one_model (&s);
  }
  OMEN_VEC_FINI (s.expected);
  OMEN_VEC_FINI (s.found);
  judged_fini (&s.j);
  t->traces++;
}

/* ---- figures ---- */

static int
report (const tally *t)
{
  uint64_t third = (t->traces - t->sections) / 3;
  bool enough = t->waits >= third && t->semaphores >= third
                && t->barriers >= third && t->heaps >= third;
  bool some = t->sleeping && t->counting && t->closed;
  printf ("# share %llu traces: waits in %llu, semaphores in %llu, barriers in "
          "%llu, blocks in %llu; %llu claims in %llu of them: %llu asleep, "
          "%llu for counts, %llu closed; %llu undecided\n",
          (unsigned long long)t->traces, (unsigned long long)t->waits,
          (unsigned long long)t->semaphores, (unsigned long long)t->barriers,
          (unsigned long long)t->heaps, (unsigned long long)t->claims,
          (unsigned long long)t->with_claims, (unsigned long long)t->sleeping,
          (unsigned long long)t->counting, (unsigned long long)t->closed,
          (unsigned long long)t->undecided);
  printf ("%s 1 - predict and oracle agree on %llu traces\n",
          t->wrong ? "not ok" : "ok", (unsigned long long)t->traces);
  printf ("%s 2 - a third of the traces has each kind of synchronisation\n",
          enough || t->traces < 1000 ? "ok" : "not ok");
  printf ("%s 3 - claims of all sorts\n",
          some || t->traces < 1000 ? "ok" : "not ok");
  printf ("%s 4 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t->wrong || omen_mem_live ()
         || (t->traces >= 1000 && (!enough || !some));
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
