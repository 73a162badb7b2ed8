/* model: against the oracle's reading of the same random traces, and
   must-happen-before against all reorderings.

   The oracle walks every reordering by rules 1 to 4 and never asks the model.
   An order that the model calls forced must hold in each of them. */
#include "unit.h"

#include "model/model.h"
#include "trace/text.h"
#include "io/text_read.h"

#include "gen.h"
#include "machine.h"
#include "space.h"
#include "size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
  uint64_t seed;
  omen_trace *trace;
  omen_model *m;
  facts f;
  /* by event b: what was in every reordering before b, or ever */
  event_set always[ORACLE_EVENTS];
} subject;

/* What the campaign covered, for the "# share" line. */
static struct {
  unsigned traces, reordered, forced, found;
} total;

static void
complain (const subject *s, const char *what, unsigned a, unsigned b)
{
  omen_err err = { 0 };
  print_message ("seed %llu: %s %u %u\n", (unsigned long long)s->seed, what, a,
                 b);
  omen_text_write (s->trace, stdout, &err);
  fail ();
}

#define AGREE(s, what, a, b, condition)                                        \
  ((condition) ? (void)0 : complain (s, what, a, b))

/* ---- tables ---- */

static void
compare_order (const subject *s)
{
  for (unsigned i = 0; i < s->f.count; i++)
    AGREE (s, "order", i, s->f.order[i],
           omen_model_nth (s->m, i) == s->f.order[i]);
  total.reordered += s->m->order != NULL;
}

static unsigned
saw (omen_eid e)
{
  return e == OMEN_NONE ? NOBODY : e;
}

static void
compare_reads (const subject *s)
{
  for (unsigned i = 0; i < s->f.glimpse_count; i++) {
    const glimpse *g = &s->f.glimpse[i];
    uint32_t a = omen_model_atoms (s->m, g->read).first
                 + (g->atom - s->f.first_atom[g->read]);
    uint32_t slot = omen_model_read_slot (s->m, g->read, a);
    AGREE (s, "reads-from", g->read, i, saw (s->m->from[slot]) == g->saw);
    AGREE (s, "initial value", g->read, i,
           omen_model_same_value (s->m, g->read, OMEN_NONE, a)
               == g->initial_value);
    for (unsigned w = 0; w < s->f.count; w++) {
      bool writes = HAS (s->f.writers, w) && g->atom >= s->f.first_atom[w]
                    && g->atom < s->f.first_atom[w] + s->f.atoms[w];
      AGREE (s, "value", g->read, w,
             !writes
                 || omen_model_same_value (s->m, g->read, w, a)
                        == HAS (g->as_value, w));
    }
  }
}

static void
compare_locks (const subject *s)
{
  for (omen_lid l = 0; l < s->m->lock_count; l++)
    AGREE (s, "irregular", l, 0, s->m->irregular[l] == HAS (s->f.irregular, l));
  for (unsigned e = 0; e < s->f.count; e++) {
    unsigned before = s->f.previous[e];
    uint64_t held[2] = { 0, 0 };
    const omen_set *set = &s->m->sets[s->m->set_of[e]];
    for (uint32_t i = set->first; i < set[1].first; i++)
      held[s->m->held[i].mode] |= ONE (s->m->held[i].lock);
    AGREE (s, "write locks", e, 0,
           held[0] == (before == NOBODY ? 0 : s->f.writes_held[before]));
    AGREE (s, "read locks", e, 0,
           held[1] == (before == NOBODY ? 0 : s->f.reads_held[before]));
  }
}

static void
compare_waits (const subject *s)
{
  AGREE (s, "waits", s->m->wait_count, s->f.wait_count,
         s->m->wait_count == s->f.wait_count);
  for (unsigned i = 0; i < s->f.wait_count; i++) {
    const condition_wait *theirs = &s->f.wait[i];
    const omen_wait *ours = &s->m->waits[s->m->at[theirs->wait]];
    AGREE (s, "wait", theirs->wait, ours->wait, ours->wait == theirs->wait);
    AGREE (s, "return", theirs->wait, theirs->back,
           saw (ours->back) == theirs->back);
    AGREE (s, "needs", theirs->wait, theirs->needs,
           theirs->back == NOBODY || ours->needs == theirs->needs);
  }
}

/* ---- must-before ---- */

/* May e be next? An acquire may find its lock held, as in a deadlock. */
static bool
may_be_next (const subject *s, const machine *m, const state *at, unsigned e)
{
  bool takes = s->f.action[e] == LOCK_TAKE || s->f.action[e] == LOCK_SHARE;
  return takes ? machine_enabled_but_lock (m, at, e)
               : machine_enabled (m, at, e);
}

/* Everything that the model forces before e is in the cut. */
static void
check_step (subject *s, const state *at, unsigned e)
{
  for (unsigned a = 0; a < s->f.count; a++)
    if (!HAS (at->CUT, a) && omen_model_must_before (s->m, a, e))
      complain (s, "must-before fails", a, e);
  s->always[e] &= at->CUT;
}

static void
walk_all (subject *s)
{
  machine m;
  space sp;
  state at, to;
  bool fresh;
  machine_init (&m, &s->f, OMEN_MODEL_VALUE);
  m.model = OMEN_MODEL_SLICED; /* any read may be followed */
  space_init (&sp, m.words);
  machine_start (&m, &at);
  space_add (&sp, at.word, 0, 0, &fresh);
  for (uint32_t i = 0; i < sp.count && i < 20000; i++) {
    memcpy (at.word, space_at (&sp, i), m.words * sizeof (uint64_t));
    for (unsigned t = 0; t < s->f.threads; t++) {
      unsigned e = machine_next (&m, &at, t);
      if (e == NOBODY || !may_be_next (s, &m, &at, e))
        continue;
      check_step (s, &at, e);
      if (machine_enabled (&m, &at, e) && machine_step (&m, &at, e, &to))
        space_add (&sp, to.word, i, e, &fresh);
    }
  }
  space_fini (&sp);
}

static void
count_forced (const subject *s)
{
  for (unsigned b = 0; b < s->f.count; b++)
    for (unsigned a = 0; a < s->f.count; a++)
      if (s->f.thread[a] != s->f.thread[b] && HAS (s->always[b], a)) {
        total.forced++;
        total.found += omen_model_must_before (s->m, a, b);
      }
}

/* Takes the trace. */
static void
examine (uint64_t seed, omen_trace *trace)
{
  subject s = { .seed = seed, .trace = trace };
  omen_err err = { 0 };
  s.m = omen_model_new (trace, &err);
  if (!s.m || !facts_read (&s.f, trace, &err)) {
    print_message ("%s\n", err.what);
    complain (&s, "refused", 0, 0);
  }
  for (unsigned e = 0; e < s.f.count; e++)
    s.always[e] = s.f.all;
  AGREE (&s, "valid", 0, 0, omen_model_valid (s.m));
  compare_order (&s);
  compare_reads (&s);
  compare_locks (&s);
  compare_waits (&s);
  walk_all (&s);
  count_forced (&s);
  total.traces++;
  omen_model_free (s.m);
  omen_trace_free (trace);
}

static uint64_t
campaign (uint64_t usual)
{
  memset (&total, 0, sizeof total);
  return campaign_scaled (usual, 100 * usual);
}

static void
print_share (const char *what)
{
  printf ("# share of %s: %u traces, %u with a base order, %u of %u forced "
          "orders known\n",
          what, total.traces, total.reordered, total.found, total.forced);
}

/* ---- traces that no program leaves ---- */

static uint64_t random_state;

static unsigned
below (unsigned n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (unsigned)(random_state >> 33) % n;
}

static const char *const operations[] = {
  "acq(l)",
  "rel(l)",
  "acq(l)",
  "rel(l)",
  "racq(l)",
  "rrel(l)",
  "acq(k)",
  "rel(k)",
  "tryfail(l)",
  "rtryfail(l)",
  "wait(c,l)",
  "wake(c,l)",
  "wait(c)",
  "wake(c)",
  "notify(c)",
  "notifyall(c)",
  "wake(c,l,timeout)",
  "up(s)",
  "down(s)",
  "semfail(s)",
  "seminit(s,1)",
  "arrive(b,2)",
  "depart(b)",
  "hb(o)",
  "ha(o)",
  "w(x=1)",
  "r(x=1)",
  "w(x+0:2=1)",
  "r(x+1:2=0)",
  "rmw(x=1:2)",
  "r(x)",
  "w(x)",
  "ext(x)",
  "ext(x+0:1)",
  "alloc(p,4)",
  "free(p)",
  "w(p)",
  "fork(T2)",
  "fork(T3)",
  "join(T2)",
  "r(x=0)",
  "w(x+0:4=red)",
  "r(x+0:4=red)",
  "wake(c,spurious)",
};

/* A few operations of a few threads, in any order. */
static omen_trace *
any_trace (void)
{
  char text[1024];
  size_t n = 0;
  unsigned threads = 2 + below (2), events = 4 + below (8);
  unsigned kinds = 2 + below (6), first[8];
  omen_err err = { 0 };
  omen_trace *trace;
  for (unsigned k = 0; k < kinds; k++)
    first[k] = below (OMEN_COUNT (operations));
  for (unsigned i = 0; i < events; i++) {
    unsigned k = first[below (kinds)] + (below (3) ? below (2) : 0);
    n += (size_t)snprintf (text + n, sizeof text - n, "T%u|%s|\n",
                           1 + below (threads),
                           operations[k % OMEN_COUNT (operations)]);
  }
  trace = omen_text_parse ("t", text, n, &err);
  assert_non_null (trace);
  return trace;
}

static bool
oracle_accepts (const omen_trace *trace)
{
  const oracle_request filter = { 0 };
  omen_err err = { 0 };
  oracle *o = oracle_new (trace, OMEN_MODEL_VALUE, &filter, &err);
  oracle_free (o);
  return o;
}

static void
odd_traces_agree (void **unused)
{
  uint64_t seeds = campaign (30000);
  random_state = 88172645463325252u;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    omen_trace *trace = any_trace ();
    bool ours = omen_wellformed (trace, NULL, NULL);
    bool theirs = oracle_accepts (trace);
    subject s = { .seed = seed, .trace = trace };
    /* the oracle refuses less: it does not ask who waits or releases */
    AGREE (&s, "well-formed", ours, theirs, theirs || !ours);
    if (ours)
      examine (seed, trace);
    else
      omen_trace_free (trace);
  }
  print_share ("odd traces");
}

static void
generated_traces_agree (void **unused)
{
  uint64_t seeds = campaign (3000);
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    oracle_knobs knobs;
    oracle_knobs_default (&knobs, seed);
    examine (seed, oracle_generate (&knobs));
  }
  print_share ("generated traces");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    UNIT (generated_traces_agree),
    UNIT (odd_traces_agree),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
