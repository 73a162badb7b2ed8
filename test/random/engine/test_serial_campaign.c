/* The observed-run check against its definition: the graph of all transactions
   with every edge there is, its transitive closure by brute force. The check
   reports a transaction if and only if some one is in a cycle, those reported
   are, and every witness is verified.

     test_serial_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 500,000. */
#include "block_traces.h"
#include "size.h"
#include "predict/predict.h"
#include "predict/serial.h"
#include "trace/text.h"
#include "witness/verify.h"

#include <stdio.h>

#define EVENTS 64

typedef struct tally {
  uint64_t traces, wrong, cyclic, longer; /* longer: than two transactions */
} tally;

typedef struct subject {
  uint64_t seed;
  const omen_trace *trace;
  const omen_model *model;
  uint8_t *chosen;
  unsigned node_of[EVENTS], nodes;
  bool reach[EVENTS][EVENTS];
  omen_verifier *verifier;
  tally *t;
  unsigned found;
} subject;

static void
complain (const subject *s, const char *what)
{
  printf ("# seed %llu: %s\n", (unsigned long long)s->seed, what);
  fflush (stdout);
  omen_text_write (s->trace, stdout, NULL);
  s->t->wrong++;
}

/* ---- the definition ---- */

/* The outermost block of e; where blocks overlap, the one that began first, or
   the next once that has ended. */
static uint32_t
transaction_of (const subject *s, omen_eid e)
{
  const omen_model *m = s->model;
  omen_tid t = omen_model_thread (m, e);
  uint32_t current = OMEN_NONE;
  for (omen_eid i = 0; i <= e; i++) {
    if (omen_model_thread (m, i) != t)
      continue;
    if (current != OMEN_NONE && m->blocks[current].close < i)
      current = OMEN_NONE;
    for (uint32_t b = m->thread_blocks[t];
         b < m->thread_blocks[t + 1] && current == OMEN_NONE; b++)
      if (s->chosen[b] && m->blocks[b].open <= i
          && (m->blocks[b].close == OMEN_NONE || m->blocks[b].close >= i))
        current = b;
  }
  return current;
}

static bool
takes_lock (const omen_event *e, omen_lid *lock, bool *reader)
{
  *reader = e->kind == OMEN_READ_ACQUIRE;
  *lock = e->kind == OMEN_WAKE ? (omen_lid)e->value : e->object;
  return e->kind == OMEN_ACQUIRE || *reader
         || (e->kind == OMEN_WAKE && *lock != OMEN_NONE);
}

static bool
gives_lock (const omen_event *e, omen_lid *lock, bool *reader)
{
  *reader = e->kind == OMEN_READ_RELEASE;
  *lock = e->kind == OMEN_WAIT ? (omen_lid)e->value : e->object;
  return e->kind == OMEN_RELEASE || *reader
         || (e->kind == OMEN_WAIT && *lock != OMEN_NONE);
}

static bool
is_access (const omen_event *e)
{
  return omen_kind_class (e->kind) == OMEN_CLASS_ACCESS && e->kind != OMEN_ALLOC
         && e->kind != OMEN_EXTERNAL;
}

/* Is there an edge from a to b, which is later? */
static bool
has_edge (const subject *s, omen_eid a, omen_eid b)
{
  const omen_event *x = omen_model_event (s->model, a);
  const omen_event *y = omen_model_event (s->model, b);
  const omen_place *places = s->trace->places.data;
  omen_lid given, taken;
  bool r1, r2;
  if (x->thread == y->thread || (x->kind == OMEN_FORK && x->object == y->thread)
      || (y->kind == OMEN_JOIN && y->object == x->thread))
    return true;
  if (is_access (x) && is_access (y))
    return (omen_kind_writes (x->kind) || omen_kind_writes (y->kind))
           && omen_place_overlap (&places[x->object], &places[y->object]);
  if ((gives_lock (x, &given, &r1) || takes_lock (x, &given, &r1))
      && (gives_lock (y, &taken, &r2) || takes_lock (y, &taken, &r2))
      && given == taken && s->model->irregular[given])
    return true;
  return gives_lock (x, &given, &r1) && takes_lock (y, &taken, &r2)
         && given == taken && !(r1 && r2);
}

static void
build_graph (subject *s)
{
  const omen_model *m = s->model;
  unsigned n = m->event_count;
  for (omen_eid e = 0; e < n; e++) {
    uint32_t block = transaction_of (s, e);
    s->node_of[e] = e; /* named by its first event */
    for (omen_eid f = 0; f < e && block != OMEN_NONE; f++)
      if (transaction_of (s, f) == block) {
        s->node_of[e] = s->node_of[f];
        break;
      }
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++) {
      omen_eid a = omen_model_nth (m, i), b = omen_model_nth (m, k);
      if (s->node_of[a] != s->node_of[b] && has_edge (s, a, b))
        s->reach[s->node_of[a]][s->node_of[b]] = true;
    }
  for (unsigned k = 0; k < n; k++)
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; s->reach[i][k] && j < n; j++)
        s->reach[i][j] |= s->reach[k][j];
}

/* ---- the check ---- */

static bool
take (void *context, omen_finding *finding)
{
  subject *s = context;
  omen_err err = { 0 };
  const omen_claim *claim = &finding->witness.claim;
  unsigned node
      = s->node_of[claim->events.data[claim->kind == OMEN_CLAIM_ATOMICITY]];
  if (!omen_verify (s->verifier, &finding->witness, &err))
    complain (s, err.what);
  if (!s->reach[node][node])
    complain (s, "reported, but in no cycle");
  s->found++;
  s->t->longer
      += finding->note && strchr (strchr (finding->note, ',') + 1, ',');
  omen_finding_fini (finding);
  return true;
}

static void
one_trace (uint64_t seed, const omen_atomic *atomic, tally *t)
{
  omen_predict_options options
      = { .model = OMEN_MODEL_RF, .group = OMEN_GROUP_NONE, .atomic = atomic };
  omen_predict_stats stats = { 0 };
  subject s = { .seed = seed, .t = t };
  omen_sink sink = { take, NULL, &s };
  oracle_knobs knobs;
  omen_err err = { 0 };
  bool cyclic = false;
  omen_trace *trace;
  omen_model *model;
  draw_block_knobs (&knobs, seed);
  knobs.longest += 10;
  s.trace = trace = oracle_generate (&knobs);
  s.model = model = omen_model_new (trace, &err);
  s.verifier = omen_verifier_new (trace, &err);
  OMEN_REQUIRE (model && s.verifier && model->event_count <= EVENTS);
  options.identity = omen_trace_identity (trace);
  s.chosen = omen_atomic_blocks (atomic, model);
  build_graph (&s);
  for (unsigned i = 0; i < model->event_count; i++)
    cyclic |= s.reach[i][i];
  omen_predict_observed (model, &options, &sink, &stats);
  if (cyclic != (s.found > 0))
    complain (&s, cyclic ? "a cycle is not reported"
                         : "there is no cycle, one is reported");
  t->cyclic += cyclic;
  t->traces++;
  omen_free (s.chosen);
  omen_verifier_free (s.verifier);
  omen_model_free (model);
  omen_trace_free (trace);
}

int
main (int argc, char **argv)
{
  uint64_t first, count = campaign_size (argc, argv, 2000, 500000, &first);
  omen_atomic every;
  tally t = { 0 };
  bool enough;
  omen_atomic_init (&every, OMEN_ATOMIC_LISTED);
  every.every = true;
  for (uint64_t i = 0; i < count && t.wrong < ENOUGH; i++)
    one_trace (first + i, &every, &t);
  omen_atomic_fini (&every);
  enough = t.cyclic * 20 > t.traces && t.cyclic * 10 < 9 * t.traces
           && t.longer * 100 > t.cyclic;
  printf ("# share %llu traces, %llu not serializable, %llu cycles of more "
          "than two\n",
          (unsigned long long)t.traces, (unsigned long long)t.cyclic,
          (unsigned long long)t.longer);
  printf ("%s 1 - the check agrees with the definition on %llu traces\n",
          t.wrong ? "not ok" : "ok", (unsigned long long)t.traces);
  printf ("%s 2 - cycles are neither rare nor everywhere, some are long\n",
          enough ? "ok" : "not ok");
  printf ("%s 3 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t.wrong || !enough || omen_mem_live ();
}
