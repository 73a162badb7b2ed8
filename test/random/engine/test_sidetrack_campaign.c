/* SideTrack twice: its rules, with the epochs and serials of sidetrack.c,
   against Figure 6 of the paper taken word for word (whole vector clocks, a set
   for each open block); and its reports over finished traces against the
   oracle: what is verified is an atomicity violation; what is refuted happens
   in no reordering, whatever reads see; what has no witness and is not refuted,
   only if they see other values.

     test_sidetrack_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 500,000. */
#include "block_traces.h"
#include "size.h"
#include "oracle.h"
#include "predict/predict.h"
#include "predict/sidetrack.h"
#include "trace/text.h"
#include "witness/verify.h"

#include <stdio.h>

#define MOST 64 /* events, threads, locks */

typedef struct tally {
  uint64_t traces, wrong, errors[3], verified, unverified, refuted, values,
      trials;
} tally;

typedef struct subject {
  uint64_t seed;
  const omen_trace *trace;
  const omen_model *model;
  oracle *o, *blind; /* of the trace, and of the trace without reads */
  omen_verifier *verifier;
  tally *t;
  /* by event and error: the block to blame (its open, the last opened), or
     OMEN_NONE */
  omen_eid ours[MOST][3], paper[MOST][3];
} subject;

static void
complain (const subject *s, const char *what, omen_eid e)
{
  printf ("# seed %llu, event %u: %s\n", (unsigned long long)s->seed, e, what);
  fflush (stdout);
  omen_text_write (s->trace, stdout, NULL);
  s->t->wrong++;
}

/* ---- Figure 6 ---- */

typedef uint32_t vclock[MOST];

typedef struct block {
  bool open, held[MOST], risky[MOST]; /* H and I, by lock */
  omen_eid opened;
} block;

typedef struct paper {
  subject *s;
  vclock c[MOST], v[MOST], a[MOST], r[MOST];
  omen_eid v_blame[MOST];
  uint32_t holder[MOST], depth[MOST], saved[MOST][MOST];
  block blocks[MOST]; /* by the event that opens it */
} paper;

static bool
below (const vclock a, const vclock b)
{
  for (int i = 0; i < MOST; i++)
    if (a[i] > b[i])
      return false;
  return true;
}

static void
join (vclock into, const vclock more)
{
  for (int i = 0; i < MOST; i++)
    into[i] = into[i] > more[i] ? into[i] : more[i];
}

static void
flag (paper *p, omen_eid e, omen_sidetrack_error error, omen_eid opened)
{
  omen_eid *slot = &p->s->paper[e][error];
  if (*slot == OMEN_NONE || *slot < opened)
    *slot = opened;
}

static void
paper_acquire (paper *p, omen_eid e, omen_tid t, omen_lid m, uint32_t depth)
{
  omen_eid window = OMEN_NONE;
  if (p->holder[m] == t) {
    p->depth[m] += depth;
    return;
  }
  p->holder[m] = t;
  p->depth[m] = depth;
  if (!below (p->v[m], p->c[t]))
    flag (p, e, OMEN_AFTER_ERROR, p->v_blame[m]);
  for (omen_eid b = 0; b < e; b++) {
    block *x = &p->blocks[b];
    if (!x->open || omen_trace_event (p->s->trace, b)->thread != t)
      continue;
    if (x->held[m]) {
      if (x->risky[m])
        flag (p, e, OMEN_BEFORE_ERROR, b);
      if (!below (p->r[m], p->c[t]))
        flag (p, e, OMEN_IN_ERROR, b);
      window = b;
    } else {
      x->held[m] = true;
      x->risky[m] = !below (p->a[m], p->c[t]);
    }
  }
  if (window != OMEN_NONE) {
    memcpy (p->v[m], p->c[t], sizeof (vclock));
    p->v_blame[m] = window;
  }
  join (p->c[t], p->r[m]);
  memcpy (p->a[m], p->c[t], sizeof (vclock));
}

static void
paper_release (paper *p, omen_tid t, omen_lid m, uint32_t depth)
{
  if (p->holder[m] != t)
    return;
  p->depth[m] -= depth < p->depth[m] ? depth : p->depth[m];
  if (p->depth[m])
    return;
  p->holder[m] = OMEN_NONE;
  memcpy (p->r[m], p->c[t], sizeof (vclock));
  p->c[t][t]++;
}

static void
paper_close (paper *p, omen_eid e)
{
  uint32_t at = p->s->model->at[e];
  if (at != OMEN_NONE)
    p->blocks[p->s->model->blocks[at].open].open = false;
}

static void
paper_step (paper *p, omen_eid e)
{
  const omen_event *event = omen_trace_event (p->s->trace, e);
  omen_tid t = event->thread;
  uint32_t x = event->object, l = (uint32_t)event->value;
  switch (event->kind) {
  case OMEN_ACQUIRE:
    paper_acquire (p, e, t, x, 1);
    break;
  case OMEN_RELEASE:
    paper_release (p, t, x, 1);
    break;
  case OMEN_WAIT:
    if (l == OMEN_NONE)
      break;
    p->saved[t][l] = p->holder[l] == t ? p->depth[l] : 1;
    paper_release (p, t, l, MOST);
    break;
  case OMEN_WAKE:
    if (l != OMEN_NONE)
      paper_acquire (p, e, t, l, p->saved[t][l] ? p->saved[t][l] : 1);
    break;
  case OMEN_FORK:
    join (p->c[x], p->c[t]);
    p->c[t][t]++;
    break;
  case OMEN_JOIN:
    join (p->c[t], p->c[x]);
    p->c[x][x]++;
    break;
  case OMEN_BEGIN:
  case OMEN_ENTER:
    p->blocks[e].open = true;
    break;
  case OMEN_END:
  case OMEN_EXIT:
    paper_close (p, e);
    break;
  default:
    break;
  }
}

static void
run_paper (subject *s)
{
  paper *p = omen_zalloc (1, sizeof *p);
  p->s = s;
  for (int i = 0; i < MOST; i++) {
    p->c[i][i] = 1;
    p->holder[i] = OMEN_NONE;
  }
  for (uint32_t i = 0; i < s->model->event_count; i++)
    paper_step (p, omen_model_nth (s->model, i));
  omen_free (p);
}

/* ---- ours ---- */

static bool
every_block (void *context, unsigned kind, uint32_t name, bool entry)
{
  (void)context, (void)kind, (void)name, (void)entry;
  return true;
}

static void
take_report (void *context, const omen_sidetrack_report *r)
{
  subject *s = context;
  omen_eid at
      = r->error == OMEN_AFTER_ERROR ? r->culprit.event : r->second.event;
  omen_eid *slot = &s->ours[at][r->error];
  s->t->errors[r->error]++;
  for (uint32_t i = 1; i < r->blames; i++)
    if (r->blame[i].open >= r->blame[i - 1].open)
      complain (s, "blame is not innermost first", at);
  if (*slot == OMEN_NONE || *slot < r->blame[0].open)
    *slot = r->blame[0].open;
}

static void
run_ours (subject *s)
{
  omen_sidetrack_options options = { every_block, take_report, s, .all = true };
  omen_sidetrack *sidetrack = omen_sidetrack_new (&options);
  for (uint32_t i = 0; i < s->model->event_count; i++) {
    omen_eid e = omen_model_nth (s->model, i);
    omen_sidetrack_push (sidetrack, omen_trace_event (s->trace, e), e);
  }
  omen_sidetrack_free (sidetrack);
}

static void
compare_rules (subject *s)
{
  memset (s->ours, 0xff, sizeof s->ours);
  memset (s->paper, 0xff, sizeof s->paper);
  run_paper (s);
  run_ours (s);
  for (omen_eid e = 0; e < s->model->event_count; e++)
    for (int k = 0; k < 3; k++)
      if (s->ours[e][k] != s->paper[e][k]) {
        printf ("# %s-error: paper blames %d, we %d\n",
                omen_sidetrack_text ((omen_sidetrack_error)k),
                (int)s->paper[e][k], (int)s->ours[e][k]);
        complain (s, "not what the paper says", e);
      }
}

/* ---- judged ---- */

static bool
holds (oracle *o, omen_claim_kind kind, const omen_eid *events, unsigned count)
{
  oracle_claim claim = { .kind = kind, .count = count };
  memcpy (claim.events, events, count * sizeof *events);
  return oracle_holds (o, &claim);
}

static bool
take_finding (void *context, omen_finding *f)
{
  subject *s = context;
  const omen_claim *claim = &f->witness.claim;
  omen_eid at = f->acquires[2];
  omen_err err = { 0 };
  bool possible = holds (s->o, OMEN_CLAIM_PATTERN, f->acquires, 3);
  bool by_locks
      = possible || holds (s->blind, OMEN_CLAIM_PATTERN, f->acquires, 3);
  if (f->trial && omen_verify (s->verifier, &f->witness, &err))
    complain (s, "to be tried, but it holds", at);
  s->t->trials += f->trial;
  err = (omen_err){ 0 };
  if (possible && !f->trial && !omen_verify (s->verifier, &f->witness, &err))
    complain (s, err.what, at);
  if (!possible && omen_finding_has_witness (f))
    complain (s, "a witness for what is impossible", at);
  if (by_locks == (f->status == OMEN_STATUS_REFUTED))
    complain (s, by_locks ? "refuted, but possible" : "not refuted", at);
  s->t->values += by_locks && !possible;
  if (f->status == OMEN_STATUS_PREDICTED
      && !holds (s->o, OMEN_CLAIM_ATOMICITY, claim->events.data, 6))
    complain (s, "the oracle knows no such violation", at);
  omen_finding_fini (f);
  return true;
}

/* Reads become writes, of which nobody asks what they see. */
static void
drop_reads (omen_trace *trace)
{
  for (size_t e = 0; e < trace->events.count; e++) {
    omen_event *event = &trace->events.data[e];
    event->mode &= (uint8_t)~OMEN_MODE_EXTRA;
    if (!omen_kind_reads (event->kind))
      continue;
    event->kind = event->kind == OMEN_READ ? OMEN_WRITE : OMEN_ATOMIC_WRITE;
    event->value_kind = OMEN_VALUE_NONE;
    event->value = 0;
  }
  trace->extras.count = 0;
}

static void
judge (subject *s, const omen_atomic *atomic, omen_model_name name)
{
  oracle_request request = { .claims = 0 };
  omen_err err = { 0 };
  omen_sink sink = { take_finding, NULL, s };
  omen_predict_stats stats = { 0 };
  omen_sidetrack_table table = { 0 };
  omen_predict_options options
      = { .model = name,
          .group = OMEN_GROUP_NONE,
          .atomic = atomic,
          .identity = omen_trace_identity (s->trace),
          .engine = { .budget = { .steps = 100000 } } };
  s->o = oracle_new (s->trace, name, &request, &err);
  if (!s->o)
    return;
  omen_predict_sidetrack (s->model, &options, &sink, &stats, &table);
  if (stats.undecided)
    complain (s, "undecided", 0);
  s->t->verified += table.verified;
  s->t->unverified += table.unverified;
  s->t->refuted += table.refuted;
  oracle_free (s->o);
}

static void
one_trace (uint64_t seed, const omen_atomic *atomic, tally *t)
{
  static const char *const more[]
      = { "section=1090", "crossing=1040", "wait=1040" };
  subject s = { .seed = seed, .t = t };
  oracle_knobs knobs;
  omen_err err = { 0 };
  oracle_request request = { .claims = 0 };
  omen_trace *trace, *blind;
  omen_model *model;
  bool known;
  draw_block_knobs (&knobs, seed);
  known = oracle_knobs_set (&knobs, more[seed % OMEN_COUNT (more)]);
  OMEN_REQUIRE (known);
  knobs.wrap = 100;
  knobs.longest = 22;
  s.trace = trace = oracle_generate (&knobs);
  s.model = model = omen_model_new (trace, &err);
  s.verifier = omen_verifier_new (trace, &err);
  OMEN_REQUIRE (model && s.verifier && model->event_count <= MOST);
  blind = oracle_generate (&knobs);
  drop_reads (blind);
  s.blind = oracle_new (blind, OMEN_MODEL_RF, &request, &err);
  OMEN_REQUIRE (s.blind);
  compare_rules (&s);
  judge (&s, atomic, OMEN_MODEL_RF);
  judge (&s, atomic, OMEN_MODEL_VALUE);
  judge (&s, atomic, OMEN_MODEL_SLICED);
  oracle_free (s.blind);
  omen_trace_free (blind);
  omen_verifier_free (s.verifier);
  omen_model_free (model);
  omen_trace_free (trace);
  t->traces++;
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
  enough = t.verified && t.unverified && t.refuted && t.values && t.errors[0]
           && t.errors[1] && t.errors[2];
  printf ("# share %llu traces, errors before %llu, in %llu, after %llu; "
          "verified %llu, unverified %llu (by values %llu, %llu to be tried), "
          "refuted %llu\n",
          (unsigned long long)t.traces, (unsigned long long)t.errors[0],
          (unsigned long long)t.errors[1], (unsigned long long)t.errors[2],
          (unsigned long long)t.verified, (unsigned long long)t.unverified,
          (unsigned long long)t.values, (unsigned long long)t.trials,
          (unsigned long long)t.refuted);
  printf ("%s 1 - rules as in the paper, reports as the oracle says, %llu "
          "traces\n",
          t.wrong ? "not ok" : "ok", (unsigned long long)t.traces);
  printf ("%s 2 - every kind of error and status occurs\n",
          enough ? "ok" : "not ok");
  printf ("%s 3 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t.wrong || !enough || omen_mem_live ();
}
