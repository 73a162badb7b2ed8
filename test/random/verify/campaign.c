/* The verifier on random traces. For every model and kind of claim:
   - what the oracle enumerated must be accepted,
   - mutants of it (events swapped, dropped, added, the end cut off, another
     claim, another model) must be judged as the second checker judges them
     (oracle/check.h), which shares no code with either,
   - and so must each step, allowed or not, of random walks through the
     reorderings, and claims about where they end.
   Some traces are disturbed first: a lock operation moved, or given to another
   thread, so that locks become irregular and the base order matters.

     test_verify_campaign [TRACES [FIRST SEED]]

   2,000 traces (400 in builds with expensive checks), 100,000 with
   OMEN_CAMPAIGN=long. */
#include "check.h"
#include "disturb.h"
#include "gen.h"
#include "oracle.h"
#include "share.h"

#include "trace/text.h"
#include "trace/wellformed.h"
#include "witness/verify.h"

#include <stdlib.h>
#include <string.h>

#ifdef OMEN_EXPENSIVE
#define TRACES 400
#else
#define TRACES 2000
#endif
#define CLAIMS_A_KIND 2
#define MUTANTS 6
#define WALKS 2 /* a model */

static struct {
  unsigned traces, disturbed, illformed, refused, reordered;
  unsigned accepted[OMEN_CLAIMS], mutants, valid_mutants, misuses;
  unsigned compared, valid;
} total;

typedef struct subject {
  uint64_t seed;
  oracle_random random;
  omen_trace *trace;
  omen_verifier *verifier;
} subject;

static void
print_witness (const subject *s, const omen_witness *w)
{
  omen_err err = { 0 };
  printf ("# model %s, claim %s", omen_model_text (w->model),
          omen_claim_text (w->claim.kind));
  for (size_t i = 0; i < w->claim.events.count; i++)
    printf (" %d", (int)w->claim.events.data[i]);
  printf (" word %u :", w->claim.word);
  for (size_t i = 0; i < w->sequence.count; i++)
    printf (" %u", w->sequence.data[i]);
  putchar ('\n');
  omen_text_write (s->trace, stdout, &err);
}

/* The verifier must say `wanted`. */
static bool
judged (const subject *s, const omen_witness *w, bool wanted, const char *by)
{
  omen_err err = { 0 };
  bool ok = omen_verify (s->verifier, w, &err);
  if (ok == wanted)
    return true;
  printf ("not ok - seed %llu: verify says %s, %s %s\n",
          (unsigned long long)s->seed, ok ? "ok" : err.what, by,
          wanted ? "ok" : "not valid");
  print_witness (s, w);
  return false;
}

/* ---- mutants ---- */
static void
copy (omen_witness *to, const omen_witness *from)
{
  to->model = from->model;
  to->claim.kind = from->claim.kind;
  to->claim.word = from->claim.word;
  OMEN_VEC_CLEAR (to->claim.events);
  OMEN_VEC_CLEAR (to->sequence);
  for (size_t i = 0; i < from->claim.events.count; i++)
    OMEN_VEC_PUSH (to->claim.events, from->claim.events.data[i]);
  for (size_t i = 0; i < from->sequence.count; i++)
    OMEN_VEC_PUSH (to->sequence, from->sequence.data[i]);
}

static void
swap (omen_ids *ids, size_t i, size_t k)
{
  uint32_t e = ids->data[i];
  ids->data[i] = ids->data[k];
  ids->data[k] = e;
}

static void
insert (omen_ids *ids, size_t at, uint32_t e)
{
  OMEN_VEC_PUSH (*ids, e);
  for (size_t i = ids->count - 1; i > at; i--)
    swap (ids, i, i - 1);
}

static void
drop (omen_ids *ids, size_t at)
{
  for (size_t i = at; i + 1 < ids->count; i++)
    ids->data[i] = ids->data[i + 1];
  ids->count--;
}

/* The event that some thread would do after the sequence, or any event. */
static omen_eid
random_event (subject *s, const omen_ids *sequence)
{
  const omen_trace *trace = s->trace;
  omen_tid t = oracle_below (&s->random, (unsigned)trace->threads.count);
  uint32_t done = 0;
  for (size_t i = 0; i < sequence->count; i++)
    done += omen_trace_event (trace, sequence->data[i])->thread == t;
  if (done < trace->threads.data[t].count && oracle_chance (&s->random, 80))
    return omen_trace_nth (trace, t, done);
  return oracle_below (&s->random, (unsigned)trace->events.count);
}

static void
mutate_sequence (subject *s, omen_ids *ids)
{
  unsigned n = (unsigned)ids->count;
  unsigned at = n ? oracle_below (&s->random, n) : 0;
  switch (n < 2 ? 3 : oracle_below (&s->random, 6)) {
  case 0:
  case 1:
    swap (ids, at, at ? at - 1 : 1);
    break;
  case 2:
    swap (ids, at, oracle_below (&s->random, n));
    break;
  case 3:
    insert (ids, oracle_below (&s->random, n + 1), random_event (s, ids));
    break;
  case 4:
    drop (ids, at);
    break;
  default:
    ids->count = at;
    break;
  }
}

static void
mutate_claim (subject *s, omen_claim *claim)
{
  unsigned n = (unsigned)claim->events.count;
  unsigned at = oracle_below (&s->random, n);
  switch (oracle_below (&s->random, 4)) {
  case 0:
    claim->events.data[at]
        = oracle_below (&s->random, (unsigned)s->trace->events.count);
    break;
  case 1:
    swap (&claim->events, at, oracle_below (&s->random, n));
    break;
  case 2:
    if (claim->kind == OMEN_CLAIM_NONDET)
      claim->word = oracle_below (&s->random, OMEN_NONDET_ORDERS);
    else if (claim->kind == OMEN_CLAIM_DEADLOCK)
      insert (&claim->events, at,
              oracle_below (&s->random, (unsigned)s->trace->events.count));
    break;
  default:
    if (n == 2 && claim->events.data[1] != OMEN_NONE
        && claim->kind != OMEN_CLAIM_NONDET) {
      static const omen_claim_kind pairs[]
          = { OMEN_CLAIM_RACE, OMEN_CLAIM_RACE_ORDER, OMEN_CLAIM_DEADLOCK,
              OMEN_CLAIM_PATTERN };
      claim->kind = pairs[oracle_below (&s->random, 4)];
    }
  }
}

/* -1 where it has no business is for the reader to refuse. */
static bool
well_shaped (const omen_claim *claim)
{
  for (size_t i = 0; i < claim->events.count; i++)
    if (claim->events.data[i] == OMEN_NONE
        && !(claim->kind == OMEN_CLAIM_NONDET && i == 1)
        && !(claim->kind == OMEN_CLAIM_ATOMICITY && i == 3))
      return false;
  return true;
}

static bool
judge_mutants (subject *s, const omen_witness *w)
{
  omen_witness mutant;
  bool ok = true;
  omen_witness_init (&mutant);
  for (unsigned i = 0; ok && i < MUTANTS; i++) {
    bool valid;
    unsigned times = 1 + oracle_below (&s->random, 3);
    copy (&mutant, w);
    while (times--)
      if (oracle_chance (&s->random, 75))
        mutate_sequence (s, &mutant.sequence);
      else
        mutate_claim (s, &mutant.claim);
    if (oracle_chance (&s->random, 10))
      mutant.model = oracle_below (&s->random, OMEN_MODELS);
    if (!well_shaped (&mutant.claim)
        || mutant.sequence.count > s->trace->events.count)
      continue;
    valid = oracle_check (s->trace, &mutant);
    total.mutants++;
    total.valid_mutants += valid;
    ok = judged (s, &mutant, valid, "the check says");
  }
  omen_witness_fini (&mutant);
  return ok;
}

/* ---- what the oracle shows ---- */
static bool
judge_claim (subject *s, oracle *o, const oracle_claim *claim)
{
  omen_witness w = { 0 };
  bool ok = oracle_witness (o, claim, &w);
  if (!ok)
    printf ("not ok - seed %llu: the oracle shows no reordering\n",
            (unsigned long long)s->seed);
  ok = ok && judged (s, &w, true, "the oracle says");
  if (ok && !oracle_check (s->trace, &w)) {
    printf ("not ok - seed %llu: the check refuses what the oracle shows\n",
            (unsigned long long)s->seed);
    print_witness (s, &w);
    ok = false;
  }
  total.accepted[claim->kind]++;
  ok = ok && judge_mutants (s, &w);
  oracle_witness_fini (&w);
  return ok;
}

/* A few of the true claims of the kind, chosen at random. */
static bool
judge_kind (subject *s, oracle *o, omen_claim_kind kind)
{
  size_t first = 0, count = 0;
  for (size_t i = 0; i < oracle_count (o); i++)
    if (oracle_claim_at (o, i)->kind == kind) {
      first = count ? first : i;
      count++;
    }
  for (unsigned k = 0; k < CLAIMS_A_KIND && k < count; k++) {
    size_t i
        = first
          + (count > CLAIMS_A_KIND ? oracle_below (&s->random, (unsigned)count)
                                   : k);
    if (oracle_claim_at (o, i)->kind == kind
        && !judge_claim (s, o, oracle_claim_at (o, i)))
      return false;
  }
  return true;
}

/* ---- walks ---- */
/* The verifier on w must say what the check says; *valid is that. */
static bool
compare (const subject *s, const omen_witness *w, bool *valid)
{
  *valid = oracle_check (s->trace, w);
  total.compared++;
  total.valid += *valid;
  return judged (s, w, *valid, "the check says");
}

/* The next event of thread t after the sequence, or OMEN_NONE. */
static omen_eid
next_of (const subject *s, const omen_ids *sequence, omen_tid t)
{
  uint32_t done = 0;
  for (size_t i = 0; i < sequence->count; i++)
    done += omen_trace_event (s->trace, sequence->data[i])->thread == t;
  return done < s->trace->threads.data[t].count
             ? omen_trace_nth (s->trace, t, done)
             : OMEN_NONE;
}

static void
claim_pair (omen_claim *claim, omen_claim_kind kind, omen_eid a, omen_eid b)
{
  claim->kind = kind;
  OMEN_VEC_CLEAR (claim->events);
  OMEN_VEC_PUSH (claim->events, a);
  OMEN_VEC_PUSH (claim->events, b);
}

/* What comes next in two threads: do they race, do they deadlock? */
static bool
judge_next_pairs (const subject *s, omen_witness *w)
{
  unsigned threads = (unsigned)s->trace->threads.count;
  bool valid, ok = true;
  for (omen_tid t = 0; ok && t < threads; t++)
    for (omen_tid u = 0; ok && u < threads; u++) {
      omen_eid a = next_of (s, &w->sequence, t);
      omen_eid b = next_of (s, &w->sequence, u);
      if (t == u || a == OMEN_NONE || b == OMEN_NONE)
        continue;
      claim_pair (&w->claim, OMEN_CLAIM_RACE, a, b);
      ok = compare (s, w, &valid);
      claim_pair (&w->claim, OMEN_CLAIM_DEADLOCK, a, b);
      ok = ok && compare (s, w, &valid);
    }
  return ok;
}

/* A few claims that make sense of events, whether they hold or not. */
static bool
judge_candidates (subject *s, omen_witness *w, omen_claim_kind kind)
{
  oracle_claims asked = { 0 };
  bool valid, ok = true;
  oracle_candidates (s->trace, kind, &asked);
  for (unsigned i = 0; ok && i < 4 && asked.count; i++) {
    const oracle_claim *claim
        = &asked.data[oracle_below (&s->random, (unsigned)asked.count)];
    w->claim.kind = kind;
    w->claim.word = claim->word;
    OMEN_VEC_CLEAR (w->claim.events);
    for (unsigned k = 0; k < claim->count; k++)
      OMEN_VEC_PUSH (w->claim.events, claim->events[k]);
    ok = compare (s, w, &valid);
  }
  OMEN_VEC_FINI (asked);
  return ok;
}

/* One step: what each thread would do next is allowed or not; then one of the
   allowed events is taken. */
static bool
judge_steps (subject *s, omen_witness *w, bool *more)
{
  unsigned threads = (unsigned)s->trace->threads.count, allowed = 0;
  omen_eid choice = OMEN_NONE;
  bool ok = true, valid;
  for (omen_tid t = 0; ok && t < threads; t++) {
    omen_eid e = next_of (s, &w->sequence, t);
    if (e == OMEN_NONE)
      continue;
    OMEN_VEC_PUSH (w->sequence, e);
    w->claim.kind = OMEN_CLAIM_PATTERN;
    OMEN_VEC_CLEAR (w->claim.events);
    OMEN_VEC_PUSH (w->claim.events, e);
    ok = compare (s, w, &valid);
    w->sequence.count--;
    if (valid && !oracle_below (&s->random, ++allowed))
      choice = e;
  }
  *more = ok && choice != OMEN_NONE;
  if (*more)
    OMEN_VEC_PUSH (w->sequence, choice);
  return ok;
}

/* A random reordering, step by step, and questions at its end. */
static bool
judge_walk (subject *s, omen_model_name model)
{
  unsigned all = (unsigned)s->trace->events.count; /* often: final values */
  unsigned steps
      = oracle_below (&s->random, 2) ? all : oracle_below (&s->random, all + 1);
  omen_witness w;
  bool ok = true, more = true;
  omen_witness_init (&w);
  w.model = model;
  for (unsigned i = 0; ok && more && i < steps; i++)
    ok = judge_steps (s, &w, &more);
  ok = ok && judge_next_pairs (s, &w)
       && judge_candidates (s, &w, OMEN_CLAIM_RACE_ORDER)
       && judge_candidates (s, &w, OMEN_CLAIM_NONDET)
       && judge_candidates (s, &w, OMEN_CLAIM_ATOMICITY)
       && judge_candidates (s, &w, OMEN_CLAIM_FINAL);
  omen_witness_fini (&w);
  return ok;
}

static bool
judge_model (subject *s, omen_model_name model)
{
  oracle_claims patterns = { 0 };
  oracle_request request = { .claims = ORACLE_ALL };
  omen_err err = { 0 };
  oracle *o;
  bool ok = true;
  oracle_patterns (s->trace, &s->random, 4, &patterns);
  request.patterns = patterns.data;
  request.pattern_count = patterns.count;
  o = oracle_new (s->trace, model, &request, &err);
  if (!o) {
    printf ("not ok - seed %llu: the oracle refuses the trace: %s\n",
            (unsigned long long)s->seed, err.what);
    omen_text_write (s->trace, stdout, &err);
    ok = false;
  }
  for (unsigned kind = 0; ok && kind < OMEN_CLAIM_PATTERN; kind++)
    ok = judge_kind (s, o, kind);
  for (size_t i = 0; ok && i < patterns.count; i++)
    if (oracle_pattern (o, i))
      ok = judge_claim (s, o, &patterns.data[i]);
  for (unsigned i = 0; ok && i < WALKS; i++)
    ok = judge_walk (s, model);
  oracle_free (o);
  OMEN_VEC_FINI (patterns);
  return ok;
}

static bool
is_listed (const omen_base_order *base, omen_eid e, unsigned word)
{
  for (size_t i = 0; i < base->misuses.count; i++)
    if (base->misuses.data[i].event == e && base->misuses.data[i].word == word)
      return true;
  return false;
}

/* Every event and word after the events that precede it in the base order, and
   now and then after something else. */
static bool
judge_misuses (subject *s, const omen_base_order *base)
{
  omen_witness w;
  bool ok = true;
  omen_witness_init (&w);
  w.claim.kind = OMEN_CLAIM_MISUSE;
  OMEN_VEC_PUSH (w.claim.events, 0);
  for (uint32_t i = 0; ok && i < s->trace->events.count; i++) {
    omen_eid e = base->order ? base->order[i] : i;
    w.claim.events.data[0] = e;
    for (w.claim.word = 0; ok && w.claim.word < OMEN_MISUSES; w.claim.word++) {
      bool valid = is_listed (base, e, w.claim.word);
      total.misuses += valid;
      ok = judged (s, &w, valid, "wellformed says")
           && judged (s, &w, oracle_check (s->trace, &w), "the check says");
      if (ok && valid)
        ok = judge_mutants (s, &w);
    }
    OMEN_VEC_PUSH (w.sequence, e);
  }
  omen_witness_fini (&w);
  return ok;
}

/* ---- one trace ---- */
/* The verifier takes every well-formed trace. It may take others, since it
   looks only at what it depends on (marks are no business of its). */
static bool
takes_wellformed (subject *s, omen_base_order *base, bool *formed)
{
  omen_err err = { 0 };
  *formed = omen_wellformed (s->trace, base, &err);
  err = (omen_err){ 0 };
  s->verifier = omen_verifier_new (s->trace, &err);
  total.refused += !s->verifier;
  total.illformed += !*formed;
  total.reordered += *formed && base->order;
  if (!*formed || s->verifier)
    return true;
  printf ("not ok - seed %llu: the verifier refuses the trace: %s\n",
          (unsigned long long)s->seed, err.what);
  omen_text_write (s->trace, stdout, &err);
  return false;
}

static void
disturb (subject *s)
{
  omen_trace *made = disturbed (s->trace, &s->random);
  if (!made)
    return;
  omen_trace_free (s->trace);
  s->trace = made;
  total.disturbed++;
}

/* A third of the traces have much of one thing, so that the rare becomes
   common: several rounds of a barrier, two waiters for a notify, … */
static void
focus (oracle_knobs *knobs, uint64_t seed)
{
  static const char *const settings[][6] = {
    { "barrier=200", "threads=2", "shortest=12" },
    { "bare_wait=100", "notify=150", "stay=20" },
    { "publish=100", "rmw=100", "weak=80", "variables=2" },
    { "block=60", "function=60", "nested=10" },
    { "branch=80", "dependence=100", "section=30", "known=100" },
    { "crossing=60", "attempt=60", "rwlock=100", "locks=2" },
    { "child=60", "access=60", "values=2", "known=100" },
    { "heap=60", "external=60", "ranges=80" },
  };
  const char *const *setting = settings[seed / 3 % OMEN_COUNT (settings)];
  for (unsigned i = 0; seed % 3 == 0 && i < 6 && setting[i]; i++)
    OMEN_REQUIRE (oracle_knobs_set (knobs, setting[i]));
}

static bool
judge_seed (uint64_t seed)
{
  subject s = { .seed = seed, .random = { seed * 77 + 1 } };
  omen_base_order base = { 0 };
  oracle_knobs knobs;
  bool ok, formed;
  oracle_knobs_default (&knobs, seed);
  focus (&knobs, seed);
  s.trace = oracle_generate (&knobs);
  if (seed % 4 == 0)
    disturb (&s);
  total.traces++;
  ok = takes_wellformed (&s, &base, &formed);
  if (ok && formed) {
    ok = judge_misuses (&s, &base);
    for (unsigned model = 0; ok && model < OMEN_MODELS; model++)
      ok = judge_model (&s, model);
  }
  if (formed)
    omen_base_order_fini (&base);
  omen_verifier_free (s.verifier);
  omen_trace_free (s.trace);
  return ok;
}

static void
print_shares (void)
{
  printf ("# share %u traces, %u disturbed; %u not well-formed, %u refused, %u "
          "in another base order\n",
          total.traces, total.disturbed, total.illformed, total.refused,
          total.reordered);
  printf ("# share reorderings accepted:");
  for (unsigned kind = 0; kind < OMEN_CLAIM_MISUSE; kind++)
    printf (" %s %u", omen_claim_text (kind), total.accepted[kind]);
  printf (", misuses %u\n", total.misuses);
  printf ("# share mutants %u, of which %u hold too\n", total.mutants,
          total.valid_mutants);
  printf ("# share questions on random walks %u, of which %u hold\n",
          total.compared, total.valid);
}

int
main (int argc, char **argv)
{
  const char *campaign = getenv ("OMEN_CAMPAIGN");
  uint64_t count = campaign && !strcmp (campaign, "long") ? 100000 : TRACES;
  uint64_t first = 1, seed;
  bool ok = true;
  if (argc > 1)
    count = strtoull (argv[1], NULL, 0);
  if (argc > 2)
    first = strtoull (argv[2], NULL, 0);
  for (seed = first; ok && seed < first + count; seed++)
    ok = judge_seed (seed);
  print_shares ();
  if (ok)
    printf ("ok - verifier, oracle and check agree\n");
  ok &= omen_mem_live () == 0;
  printf ("%sok - everything is freed\n", omen_mem_live () ? "not " : "");
  return !ok;
}
