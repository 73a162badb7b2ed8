/* Lifetimes, against the oracle: on random traces with waits, semaphores,
   barriers and blocks that are freed, `predict` finds the same pairs as the
   walk of the oracle, no more and no fewer, under every model; in small windows
   and in groups it finds no more. The verifier takes each witness, and says of
   what is made of them by small changes what their definition says.

     test_lifetime_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 traces, or OMEN_CAMPAIGN=long: 500,000. */
#include "check.h"
#include "gen.h"
#include "io/text_read.h"
#include "judged.h"
#include "lifetime.h"
#include "predict/predict.h"
#include "sections.h"
#include "size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
  uint64_t traces, wrong, claims, with_claims, undecided, changed, still;
  uint64_t sections; /* traces that sections_draw made; others: */
  uint64_t waits, semaphores, barriers, heaps; /* traces that have them */
  uint64_t turned;          /* claims whose use comes first in the trace */
  uint64_t large;           /* traces with numbers that may be addresses */
  uint64_t pointers;        /* traces with pointers to blocks */
  uint64_t gone, raw, null; /* claims of what is seen */
  uint64_t led;             /* claims of where an address leads */
} tally;

typedef struct subject {
  uint64_t seed;
  judged j;
  omen_model_name name;
  oracle_claims expected, found;
  oracle_random random;
  tally *t;
} subject;

static void
complain (const subject *s, const oracle_claim *claim, const char *what)
{
  judged_complain (s->seed, s->j.trace, s->name, claim, what);
  s->t->wrong++;
}

/* ---- traces ---- */

/* The text with one more block, `b`, that some thread frees. NULL: events are
   known by numbers there. */
static char *
with_block (const char *text, oracle_random *random)
{
  const char *line, *end;
  size_t size, lines = 0, at;
  char *with;
  FILE *out;
  if (strstr (text, "<-") || strchr (text, '^'))
    return NULL;
  for (line = text; *line; line += strcspn (line, "\n") + 1)
    lines++;
  at = oracle_below (random, (unsigned)lines);
  out = open_memstream (&with, &size);
  OMEN_REQUIRE (out);
  for (line = text; *line; line = end + 1) {
    end = line + strcspn (line, "\n");
    fprintf (out, "%.*s\n", (int)(end - line), line);
    if (at-- == 0 && *line == 'T' && !strstr (line, "stuck")
        && strncmp (line + strcspn (line, "|"), "|wait(", 6))
      fprintf (out, "%.*s|free(b)\n", (int)strcspn (line, "|"), line);
  }
  OMEN_REQUIRE (!fclose (out));
  return with;
}

/* Some writes, reads and allocs get their remark, and every value 1 becomes, if
   `large`, one that may be an address, and if `points`, a pointer to a block.
 */
static omen_trace *
respell (omen_trace *trace, bool large, bool points, oracle_random *random)
{
  static const struct {
    const char *plain, *remark;
    unsigned share;
  } words[] = { { "|w(", "|w.gone(", 8 },
                { "|r(", "|r.followed(", 40 },
                { "|r(", "|r.freed(", 30 },
                { "|alloc(", "|alloc.raw(", 60 } };
  omen_err err = { 0 };
  char *text, *spelt, *more = NULL;
  size_t size, room;
  FILE *out = open_memstream (&text, &size), *in;
  omen_trace *with;
  OMEN_REQUIRE (out && omen_text_write (trace, out, NULL) && !fclose (out));
  if (points && (more = with_block (text, random))) {
    free (text);
    text = more;
  }
  in = open_memstream (&spelt, &room);
  OMEN_REQUIRE (in);
  for (const char *p = text; *p; p++) {
    bool value = p > text && (p[-1] == '=' || p[-1] == ':') && *p == '1'
                 && (p[1] == ')' || p[1] == ':');
    size_t length = 0;
    for (size_t i = 0; !length && i < OMEN_COUNT (words); i++)
      if (!strncmp (p, words[i].plain, strlen (words[i].plain))
          && oracle_chance (random, words[i].share)) {
        length = strlen (words[i].plain);
        fputs (words[i].remark, in);
      }
    fputs (large && value ? "7000" : more && value ? "&b" : "", in);
    if (value && more)
      continue;
    if (length)
      p += length - 1;
    else
      fputc (*p, in);
  }
  OMEN_REQUIRE (!fclose (in));
  with = omen_text_parse ("random", spelt, room, &err);
  OMEN_REQUIRE (with);
  free (text); /* open_memstream's */
  free (spelt);
  omen_trace_free (trace);
  return with;
}

static omen_trace *
draw_sections (uint64_t seed, bool points)
{
  oracle_random random = { seed ^ 0xf4ee };
  omen_err err = { 0 };
  char *text = sections_draw (seed, (sections_kind){ .block = true });
  omen_trace *trace = omen_text_parse ("random", text, strlen (text), &err);
  OMEN_REQUIRE (trace);
  free (text); /* open_memstream's */
  return respell (trace, false, points, &random);
}

static omen_trace *
draw (uint64_t seed, bool large, bool points)
{
  oracle_random random = { seed ^ 0xf4ee };
  oracle_knobs knobs;
  oracle_knobs_default (&knobs, seed);
  knobs.shortest = 6;
  knobs.longest = 17;
  knobs.cut = oracle_chance (&random, 20) ? 50 : 0;
  knobs.heap += oracle_chance (&random, 90) ? ORACLE_SURE + 40 : 0;
  knobs.wait += oracle_chance (&random, 35) ? ORACLE_SURE + 5 : 0;
  knobs.semaphore += oracle_chance (&random, 70) ? ORACLE_SURE + 5 : 0;
  knobs.barrier += oracle_chance (&random, 80) ? ORACLE_SURE : 0;
  knobs.child += oracle_chance (&random, 30) ? ORACLE_SURE + 5 : 0;
  if (large || points) {
    knobs.ranges = 0;
    knobs.known = 100;
  }
  return respell (oracle_generate (&knobs), large, points, &random);
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
  t->heaps += has[OMEN_ALLOC] && has[OMEN_FREE];
}

/* ---- the verifier ---- */

/* The witness with one event of its sequence left out, or two turned around, or
   more of the trace in it, or about another event. */
static void
change (subject *s, omen_witness *w)
{
  size_t count = w->sequence.count;
  unsigned events = (unsigned)s->j.trace->events.count;
  unsigned at = count ? oracle_below (&s->random, (unsigned)count) : 0;
  switch (oracle_below (&s->random, 4)) {
  case 0:
    if (count) {
      memmove (&w->sequence.data[at], &w->sequence.data[at + 1],
               (count - at - 1) * sizeof (omen_eid));
      w->sequence.count--;
    }
    break;
  case 1:
    if (count > 1) {
      omen_eid e = w->sequence.data[at];
      size_t other = at ? at - 1 : 1;
      w->sequence.data[at] = w->sequence.data[other];
      w->sequence.data[other] = e;
    }
    break;
  case 2:
    OMEN_VEC_PUSH (w->sequence, oracle_below (&s->random, events));
    break;
  default:
    w->claim.events.data[oracle_below (&s->random, 2)]
        = oracle_below (&s->random, events);
    break;
  }
}

static void
judge_changed (subject *s, const omen_witness *from)
{
  omen_witness w;
  omen_witness_init (&w);
  w = *from;
  w.sequence = (omen_ids){ 0 };
  w.claim.events = (omen_ids){ 0 };
  for (size_t i = 0; i < from->sequence.count; i++)
    OMEN_VEC_PUSH (w.sequence, from->sequence.data[i]);
  for (size_t i = 0; i < 2; i++)
    OMEN_VEC_PUSH (w.claim.events, from->claim.events.data[i]);
  for (unsigned i = 0; i < 4; i++) {
    omen_err err = { 0 };
    oracle_claim claim = { OMEN_CLAIM_LIFETIME, 0, 2, { 0 } };
    change (s, &w);
    bool holds = w.claim.events.data[0] != w.claim.events.data[1]
                 && oracle_check (s->j.trace, &w);
    claim.events[0] = w.claim.events.data[0];
    claim.events[1] = w.claim.events.data[1];
    s->t->changed++;
    s->t->still += holds;
    if (omen_verify (s->j.verifier, &w, &err) != holds)
      complain (s, &claim,
                holds ? "changed, it holds, and the verifier refuses it"
                      : "changed, it does not hold, and the verifier takes it");
  }
  OMEN_VEC_FINI (w.sequence);
  OMEN_VEC_FINI (w.claim.events);
}

/* ---- what predict finds ---- */

static bool
take (void *context, omen_finding *finding)
{
  subject *s = context;
  const omen_witness *w = &finding->witness;
  oracle_claim claim = { OMEN_CLAIM_LIFETIME, 0, 2, { 0 } };
  omen_err err = { 0 };
  OMEN_REQUIRE (w->claim.kind == OMEN_CLAIM_LIFETIME
                && w->claim.events.count == 2);
  memcpy (claim.events, w->claim.events.data, 2 * sizeof (omen_eid));
  if (!omen_verify (s->j.verifier, w, &err))
    complain (s, &claim, err.what);
  else if (!oracle_check (s->j.trace, w))
    complain (s, &claim, "by definition it does not hold");
  judge_changed (s, w);
  OMEN_VEC_PUSH (s->found, claim);
  omen_finding_fini (finding);
  return true;
}

static void
predict (subject *s, uint32_t window, omen_group_by group)
{
  omen_predict_options options = { .model = s->name,
                                   .group = group,
                                   .jobs = 1,
                                   .window = window,
                                   .identity = omen_trace_identity (s->j.trace),
                                   .engine = { .budget = { .steps = 100000 },
                                               .states_first = s->seed % 2 } };
  omen_sink sink = { take, NULL, s };
  omen_predict_stats stats = { 0 };
  OMEN_VEC_CLEAR (s->found);
  omen_predict_lifetime (s->j.model, &options, &sink, &stats);
  if (!window)
    s->t->undecided += stats.undecided;
  omen_predict_stats_fini (&stats);
}

static bool
has (const oracle_claims *claims, const oracle_claim *claim)
{
  unsigned found = 0;
  for (size_t i = 0; i < claims->count; i++)
    found += claims->data[i].events[0] == claim->events[0]
             && claims->data[i].events[1] == claim->events[1];
  return found == 1;
}

static bool
frees (const subject *s, const oracle_claim *claim)
{
  return omen_trace_event (s->j.trace, claim->events[0])->kind == OMEN_FREE;
}

static omen_vid
variable_of (const subject *s, omen_eid e)
{
  omen_pid place = omen_trace_event (s->j.trace, e)->object;
  return s->j.trace->places.data[place].variable;
}

/* Does it say of a pointer where that leads? */
static bool
is_led (const subject *s, const oracle_claim *claim)
{
  return frees (s, claim)
         && variable_of (s, claim->events[0])
                != variable_of (s, claim->events[1]);
}

/* Under lattice nobody asks what reads see. */
static bool
is_asked (const subject *s, const oracle_claim *claim)
{
  return s->name != OMEN_MODEL_LATTICE
         || (frees (s, claim) && !is_led (s, claim));
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
    if (is_asked (s, &s->expected.data[i])
        && !has (&s->found, &s->expected.data[i]))
      complain (s, &s->expected.data[i], "oracle says yes, predict no");
}

/* One report for each block, and for each block that has one, of both sorts. */
static void
compare_groups (subject *s)
{
  uint64_t blocks[2][2] = { { 0 } };
  size_t reports = 0;
  predict (s, 0, OMEN_GROUP_VARIABLE);
  compare (s, false);
  for (unsigned k = 0; k < 2; k++) {
    const oracle_claims *claims = k ? &s->expected : &s->found;
    for (size_t i = 0; i < claims->count; i++) {
      omen_vid variable = variable_of (s, claims->data[i].events[0]);
      if (is_asked (s, &claims->data[i]))
        blocks[k][frees (s, &claims->data[i])] |= 1ull << variable % 64;
    }
  }
  for (unsigned sort = 0; sort < 2; sort++) {
    reports += (size_t)__builtin_popcountll (blocks[0][sort]);
    if (blocks[0][sort] != blocks[1][sort])
      complain (s, NULL, "not one report for each block");
  }
  if (s->found.count != reports)
    complain (s, NULL, "more than one report for a block");
}

static void
count_claims (const subject *s)
{
  s->t->claims += s->expected.count;
  s->t->with_claims += s->expected.count > 0;
  for (size_t i = 0; i < s->expected.count; i++) {
    const oracle_claim *claim = &s->expected.data[i];
    const omen_event *f = omen_trace_event (s->j.trace, claim->events[0]);
    s->t->turned += claim->events[1] < claim->events[0];
    s->t->led += is_led (s, claim);
    s->t->raw += f->kind == OMEN_ALLOC;
    s->t->gone += f->kind == OMEN_WRITE && f->mode & OMEN_MODE_GONE;
    s->t->null += f->kind != OMEN_FREE && f->kind != OMEN_ALLOC
                  && !(f->mode & OMEN_MODE_GONE);
  }
}

static void
one_model (subject *s)
{
  omen_err err = { 0 };
  OMEN_VEC_CLEAR (s->expected);
  if (!oracle_lifetimes (s->j.trace, s->name, &s->expected, &err))
    return;
  predict (s, 0, OMEN_GROUP_NONE);
  compare (s, true);
  compare_groups (s);
  if (s->name == OMEN_MODEL_VALUE)
    count_claims (s);
  if (s->name == OMEN_MODEL_LATTICE)
    return;
  predict (s, 4 + (uint32_t)(s->seed % 8), OMEN_GROUP_NONE);
  compare (s, false);
}

static void
one_trace (uint64_t seed, tally *t)
{
  bool large = seed % 4 == 1, points = seed % 4 >= 2;
  subject s = { .seed = seed, .random = { seed }, .t = t };
  bool sections = seed % 16 == 4 || seed % 16 == 6;
  bool legal = judged_init (&s.j, seed,
                            sections ? draw_sections (seed, points)
                                     : draw (seed, large, points));
  t->wrong += !legal;
  t->large += large;
  t->pointers += points;
  t->sections += sections;
  if (!sections)
    count_kinds (s.j.trace, t);
  for (s.name = 0; legal && s.name < OMEN_MODELS; s.name++)
    one_model (&s);
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
  bool some = t->turned * 4 >= t->claims && t->with_claims >= t->traces / 6
              && t->still * 50 >= t->changed && t->gone * 50 >= t->traces
              && t->raw * 50 >= t->traces && t->null * 50 >= t->traces
              && t->led * 100 >= t->traces;
  printf (
      "# share %llu traces: waits in %llu, semaphores in %llu, barriers in "
      "%llu, freed blocks in %llu, large numbers in %llu, pointers in %llu; "
      "%llu claims in "
      "%llu of them, %llu the other way round in the trace, %llu of gone "
      "objects, %llu of raw blocks, %llu of null pointers, %llu of where "
      "pointers lead; %llu changed, "
      "of which %llu hold; %llu undecided\n",
      (unsigned long long)t->traces, (unsigned long long)t->waits,
      (unsigned long long)t->semaphores, (unsigned long long)t->barriers,
      (unsigned long long)t->heaps, (unsigned long long)t->large,
      (unsigned long long)t->pointers, (unsigned long long)t->claims,
      (unsigned long long)t->with_claims, (unsigned long long)t->turned,
      (unsigned long long)t->gone, (unsigned long long)t->raw,
      (unsigned long long)t->null, (unsigned long long)t->led,
      (unsigned long long)t->changed, (unsigned long long)t->still,
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
