/* The slicer against its definition: for every binding that is a join of what
   events bind, cut the slice out of the trace and run the formula over it from
   the start; verdicts at an event are those of the bindings that it belongs to.

   And the verifier's judge of formulas (witness/judge.h) against the same, for
   every binding, event and category, with the creation events that the judge
   works out; those of the compiled formula are compared with them.

   And what is not known of state predicates: a verdict is one whatever they
   are.

     test_slicing_campaign [COUNT [FIRST SEED]]

   Without COUNT: 5,000 properties with a trace or more each, or with
   OMEN_CAMPAIGN=long 500,000. */
#include "random_spec.h"
#include "size.h"
#include "monitor/slicer.h"
#include "monitor/table.h"
#include "witness/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 14
#define BINDINGS 4096
/* One in so many properties is about objects that die, and has so many traces:
   what instances that went still say to others is rarely asked for. */
#define MORTAL 5
#define TRACES 20
/* So many values that are not known are tried in all ways. */
#define GUESSED 6
/* The judge is slow: one in so many pairs is put to it. */
#ifdef OMEN_EXPENSIVE
#define JUDGED 60
#else
#define JUDGED 4
#endif

typedef struct tally {
  uint64_t pairs, wrong, refused, verdicts, with_verdicts, collected;
  uint64_t quick;                   /* events that went the short way */
  uint64_t by_logic[RANDOM_LOGICS]; /* pairs with verdicts */
  uint64_t judged[2], unjudged;     /* of the judge: no, yes */
  uint64_t guessed, sure; /* slices with something unknown, with verdicts */
} tally;

/* A thing in the trace: an event, or the death of a value. */
typedef struct thing {
  omen_occurrence o;
  uint32_t objects[OMEN_PARAMETERS_MAX]; /* value * 100 + how often it died */
  bool death;
} thing;

typedef struct trace {
  thing things[LENGTH];
  unsigned count;
} trace;

typedef struct verdict {
  uint32_t at, categories, bound;
  uint64_t values[OMEN_PARAMETERS_MAX];
} verdict;
typedef OMEN_VEC (verdict) verdicts;

/* ---- traces ---- */

/* `mortal`: few objects, of which one or two die. */
static void
random_trace (trace *t, const omen_property *p, dice *d, bool mortal)
{
  unsigned died[8] = { 0 }, deaths = mortal ? 12 : roll (d, 3) ? 0 : 10;
  unsigned others = mortal ? 8 : 2; /* of so many values the second */
  t->count = 3 + roll (d, LENGTH - 2);
  for (unsigned i = 0; i < t->count; i++) {
    thing *at = &t->things[i];
    memset (at, 0, sizeof *at);
    at->death = i && deaths && roll (d, deaths) < 2;
    if (at->death) {
      at->o.values[0] = mortal ? 2 * roll (d, 3) : roll (d, 6);
      died[at->o.values[0]]++;
      continue;
    }
    at->o.event = roll (d, p->events);
    at->o.predicates = roll (d, 1u << p->predicates);
    at->o.unknown = roll (d, 6) ? 0 : roll (d, 1u << p->predicates);
    at->o.predicates &= ~at->o.unknown;
    at->o.thread = roll (d, 3);
    for (uint32_t j = 0; j < p->parameters; j++) {
      bool thread = p->modifiers & OMEN_PER_THREAD && j == p->parameters - 1;
      at->o.values[j]
          = thread ? 50 + at->o.thread : 2 * (j % 3) + (roll (d, others) == 0);
      at->objects[j] = (uint32_t)at->o.values[j] * 100
                       + (thread ? 0 : died[at->o.values[j]]);
    }
  }
}

/* ---- the definition ---- */

typedef struct binding {
  uint32_t set;
  uint32_t objects[OMEN_PARAMETERS_MAX];
} binding;

typedef struct definition {
  const omen_property *p;
  const omen_formula *f;
  const omen_written *written;
  uint64_t creation; /* by the judge */
  const trace *t;
  tally *tally;
  bool misjudged;
  binding all[BINDINGS];
  unsigned count;
  bool full; /* too many bindings: no judgement */
  verdicts out;
} definition;

static bool
compatible (const binding *a, const binding *b, uint32_t set)
{
  for (uint32_t j = 0; j < OMEN_PARAMETERS_MAX; j++)
    if (set >> j & 1 && a->objects[j] != b->objects[j])
      return false;
  return true;
}

static binding
binding_of (const definition *d, unsigned i)
{
  const thing *at = &d->t->things[i];
  binding b = { .set = d->p->event[at->o.event].binds };
  for (uint32_t j = 0; j < d->p->parameters; j++)
    b.objects[j] = b.set >> j & 1 ? at->objects[j] : 0;
  return b;
}

static void
add_binding (definition *d, const binding *b)
{
  for (unsigned i = 0; i < d->count; i++)
    if (d->all[i].set == b->set && compatible (&d->all[i], b, b->set))
      return;
  if (d->count == BINDINGS)
    d->full = true;
  else
    d->all[d->count++] = *b;
}

static void
add_joins (definition *d, const binding *b)
{
  unsigned before = d->count;
  for (unsigned i = 0; i < before; i++)
    if (compatible (&d->all[i], b, d->all[i].set & b->set)) {
      binding join = d->all[i];
      join.set |= b->set;
      for (uint32_t j = 0; j < d->p->parameters; j++)
        if (b->set >> j & 1)
          join.objects[j] = b->objects[j];
      add_binding (d, &join);
    }
  add_binding (d, b);
}

/* Parameters that an event binds together are in one part. */
static bool
connected (const uint32_t *binds, unsigned count, uint32_t set)
{
  uint32_t part = set & (0 - set);
  for (bool grew = true; grew;) {
    grew = false;
    for (unsigned i = 0; i < count; i++)
      if (binds[i] & part && binds[i] & ~part) {
        part |= binds[i];
        grew = true;
      }
  }
  return part == set;
}

static bool
may_report (const definition *d, const uint32_t *binds, unsigned count,
            uint32_t set)
{
  if (d->p->modifiers & OMEN_FULL_BINDING
      && set != (1u << d->p->parameters) - 1)
    return false;
  return !(d->p->modifiers & OMEN_CONNECTED) || connected (binds, count, set);
}

static bool
belongs (const definition *d, const binding *b, unsigned i)
{
  binding mine = binding_of (d, i);
  return !d->t->things[i].death && !(mine.set & ~b->set)
         && d->f->listens >> d->t->things[i].o.event & 1
         && compatible (&mine, b, mine.set);
}

static void
expect (definition *d, const binding *b, unsigned at, uint32_t categories)
{
  verdict v = { at, categories, b->set, { 0 } };
  for (uint32_t j = 0; j < d->p->parameters; j++)
    v.values[j] = b->set >> j & 1 ? b->objects[j] / 100 : 0;
  OMEN_VEC_PUSH (d->out, v);
}

/* The slice of b up to event `last`, which belongs to it: its categories. */
static uint32_t
run_slice (definition *d, const binding *b, unsigned last, uint64_t creation)
{
  const omen_machine *m = &d->f->machine;
  void *state = omen_alloc (m->engine->state_bytes (m));
  uint32_t binds[LENGTH], set = 0, seen = 0, categories = 0;
  bool begun = false, reports = false;
  m->engine->start (m, state);
  for (unsigned i = 0; i <= last; i++) {
    const omen_occurrence *o = &d->t->things[i].o;
    omen_letter letter
        = { o->event, o->predicates, o->thread, o->apart, o->unknown };
    if (!belongs (d, b, i))
      continue;
    begun |= creation >> o->event & 1;
    if (!begun)
      continue;
    if (reports && categories & d->f->resets) {
      m->engine->drop (m, state, &omen_heap);
      m->engine->start (m, state);
    }
    OMEN_REQUIRE (m->engine->step (m, state, &letter, &omen_heap));
    binds[seen++] = d->p->event[o->event].binds;
    set |= d->p->event[o->event].binds;
    categories = m->engine->verdict (m, state);
    reports = categories && may_report (d, binds, seen, set);
  }
  m->engine->drop (m, state, &omen_heap);
  omen_free (state);
  return reports && set == b->set ? categories : 0;
}

/* ---- what is not known ---- */

/* Of the events of b's slice, so many values that are not known. */
static unsigned
count_unknown (const definition *d, const binding *b, unsigned last)
{
  unsigned count = 0;
  for (unsigned i = 0; i <= last; i++)
    if (belongs (d, b, i))
      count += (unsigned)__builtin_popcount (d->t->things[i].o.unknown);
  return count;
}

/* The trace with these bits, one after the other, for what is not known. */
static trace
guess (const definition *d, const binding *b, unsigned last, uint32_t bits)
{
  trace t = *d->t;
  for (unsigned i = 0; i <= last; i++) {
    omen_occurrence *o = &t.things[i].o;
    for (uint32_t rest = belongs (d, b, i) ? o->unknown : 0; rest;
         rest &= rest - 1, bits >>= 1)
      o->predicates |= bits & 1 ? rest & (0 - rest) : 0;
    o->unknown = 0;
  }
  return t;
}

/* Does the machine go on with all states that it may be in? */
static bool
follows_sets (const definition *d)
{
  const omen_machine *m = &d->f->machine;
  return m->engine == &omen_engine_table && !d->f->resets
         && m->words[OMEN_TABLE_STATES] <= OMEN_TABLE_SET_STATES;
}

/* Only the categories that each guess has; if sets are followed, all of them.
 */
static void
check_unknown (definition *d, const binding *b, unsigned last,
               uint32_t categories)
{
  const trace *given = d->t;
  unsigned unknown = count_unknown (d, b, last);
  uint32_t all = UINT32_MAX;
  if (!unknown || unknown > GUESSED || d->misjudged)
    return;
  for (uint32_t bits = 0; bits < 1u << unknown; bits++) {
    trace t = guess (d, b, last, bits);
    d->t = &t;
    all &= run_slice (d, b, last, d->f->creation);
    d->t = given;
  }
  d->tally->guessed++;
  d->tally->sure += categories != 0;
  if (!(categories & ~all) && (!follows_sets (d) || categories == all))
    return;
  printf ("# categories %x at %u, but %x whatever is not known\n", categories,
          last, all);
  d->misjudged = true;
}

/* ---- the judge ---- */

static bool
same_values (const binding *a, const binding *b)
{
  for (uint32_t j = 0; j < OMEN_PARAMETERS_MAX; j++)
    if (a->set >> j & 1 && a->objects[j] / 100 != b->objects[j] / 100)
      return false;
  return a->set == b->set;
}

/* What the judge is asked about: letters with the values of b, whatever
   objects. */
static size_t
letters_of (const definition *d, const binding *b, unsigned last,
            omen_judged_letter *out)
{
  size_t count = 0;
  for (unsigned i = 0; i <= last; i++) {
    const omen_occurrence *o = &d->t->things[i].o;
    binding mine = binding_of (d, i), part = *b;
    part.set = mine.set;
    if (d->t->things[i].death || mine.set & ~b->set
        || !(d->f->listens >> o->event & 1) || !same_values (&mine, &part))
      continue;
    out[count] = (omen_judged_letter){ { o->event, o->predicates, o->thread,
                                         o->apart, o->unknown },
                                       i == last,
                                       { 0 } };
    memcpy (out[count++].objects, mine.objects, sizeof mine.objects);
  }
  return count;
}

/* The empty word is no attempt of a suffix property; machines of grammars that
   have it say match after every event all the same. */
static bool
is_match_of_nothing (const definition *d)
{
  const omen_machine *m = &d->f->machine;
  void *state = omen_alloc (m->engine->state_bytes (m));
  bool match;
  m->engine->start (m, state);
  match = d->p->modifiers & OMEN_SUFFIX && !strcmp (d->f->logic, "cfg")
          && m->engine->verdict (m, state);
  m->engine->drop (m, state, &omen_heap);
  omen_free (state);
  return match;
}

/* All bindings with these values, of which the j-th is the first: one says what
   the judge says. */
static void
ask_judge (definition *d, unsigned j, unsigned last)
{
  omen_judged_letter letters[LENGTH];
  size_t count = letters_of (d, &d->all[j], last, letters);
  uint32_t wanted = 0;
  if (is_match_of_nothing (d))
    return;
  for (unsigned k = 0; k < d->count; k++) {
    if (!same_values (&d->all[k], &d->all[j]))
      continue;
    if (k < j)
      return;
    if (belongs (d, &d->all[k], last))
      wanted |= run_slice (d, &d->all[k], last, d->creation);
  }
  for (uint32_t c = 0; c < d->f->categories; c++) {
    const char *why;
    omen_formula_answer a = omen_formula_says (d->p, d->written, 0, c, letters,
                                               count, d->all[j].set, &why);
    if (a == OMEN_SAYS_UNKNOWN) {
      d->tally->unjudged++;
      continue;
    }
    d->tally->judged[a == OMEN_SAYS_YES]++;
    if ((a == OMEN_SAYS_YES) == (wanted >> c & 1)
        || (a == OMEN_SAYS_YES && !follows_sets (d)
            && count_unknown (d, &d->all[j], last)))
      continue;
    if (!d->misjudged)
      printf ("# the judge says %d of %s at %u\n", a == OMEN_SAYS_YES,
              d->f->category[c], last);
    d->misjudged = true;
  }
}

static void
define (definition *d)
{
  for (unsigned i = 0; i < d->t->count && !d->full; i++) {
    binding mine;
    if (d->t->things[i].death
        || !(d->f->listens >> d->t->things[i].o.event & 1))
      continue;
    mine = binding_of (d, i);
    add_joins (d, &mine);
    for (unsigned j = 0; j < d->count; j++) {
      uint32_t categories = 0;
      if (belongs (d, &d->all[j], i))
        categories = run_slice (d, &d->all[j], i, d->f->creation);
      if (belongs (d, &d->all[j], i))
        check_unknown (d, &d->all[j], i, categories);
      if (categories)
        expect (d, &d->all[j], i, categories);
      if (!d->misjudged && d->tally->pairs % JUDGED == 0)
        ask_judge (d, j, i);
    }
  }
}

/* ---- the slicer ---- */

typedef struct sliced {
  const omen_property *p;
  const omen_formula *f;
  uint32_t at;
  verdicts out;
} sliced;

static bool
take (void *self, const omen_landing_report *report)
{
  sliced *s = self;
  verdict v = { s->at, report->categories, report->bound, { 0 } };
  for (uint32_t j = 0; j < s->p->parameters; j++)
    v.values[j] = report->bound >> j & 1 ? report->values[j] : 0;
  OMEN_VEC_PUSH (s->out, v);
  return report->categories & s->f->resets;
}

/* As programs do it: the short way if it is one for the event. */
static bool
shortcut (omen_slicer *slicer, const omen_property *p, const omen_occurrence *o)
{
  uint32_t binds = p->event[o->event].binds;
  return omen_slicer_quick_events (slicer) >> o->event & 1
         && omen_slicer_quick (slicer, o->event,
                               binds ? o->values[__builtin_ctz (binds)] : 0);
}

static void
slice (sliced *s, const trace *t, bool shortly, tally *all)
{
  omen_slicer *slicer = omen_slicer_new (s->p, 0, &omen_heap);
  for (unsigned i = 0; i < t->count; i++) {
    s->at = i;
    if (t->things[i].death)
      omen_slicer_dead (slicer, t->things[i].o.values[0]);
    else if (shortly && shortcut (slicer, s->p, &t->things[i].o))
      all->quick++;
    else
      OMEN_REQUIRE (omen_slicer_event (slicer, &t->things[i].o, take, s));
  }
  all->collected += omen_slicer_count (slicer).collected;
  for (uint64_t value = 0; value < 60; value++)
    omen_slicer_dead (slicer, value);
  omen_slicer_free (slicer);
}

/* ---- both ---- */

static int
compare (const void *a, const void *b)
{
  return memcmp (a, b, sizeof (verdict));
}

static void
complain (uint64_t seed, const random_spec *spec, const omen_property *p,
          const trace *t, const verdicts *wanted, const verdicts *seen)
{
  const verdicts *both[] = { wanted, seen };
  printf ("# seed %llu: %zu verdicts, but %zu by the definition\n%s",
          (unsigned long long)seed, seen->count, wanted->count,
          spec->page.text);
  for (unsigned i = 0; i < t->count; i++) {
    const omen_occurrence *o = &t->things[i].o;
    if (t->things[i].death) {
      printf ("# %2u dead %llu\n", i, (unsigned long long)o->values[0]);
      continue;
    }
    printf ("# %2u %s", i, p->event[o->event].name);
    for (uint32_t j = 0; j < p->parameters; j++)
      if (p->event[o->event].binds >> j & 1)
        printf (" %s=%llu", p->parameter[j], (unsigned long long)o->values[j]);
    printf (" thread %u predicates %u unknown %u\n", o->thread, o->predicates,
            o->unknown);
  }
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < both[k]->count; i++) {
      const verdict *v = &both[k]->data[i];
      printf ("# %s at %u: categories %x bound %x:", k ? "seen" : "wanted",
              v->at, v->categories, v->bound);
      for (uint32_t j = 0; j < p->parameters; j++)
        if (v->bound >> j & 1)
          printf (" %llu", (unsigned long long)v->values[j]);
      printf ("\n");
    }
}

/* Of patterns that nothing can match, no event makes instances, where the
   definition names the first ones: nobody can tell. */
static bool
same_creation (const definition *d)
{
  return d->creation == d->f->creation
         || (!strcmp (d->f->logic, "pattern")
             && !(d->f->creation & ~d->creation));
}

static void
compare_both (uint64_t seed, const random_spec *spec, const omen_compiled *c,
              const trace *t, tally *all)
{
  static definition d;
  const omen_property *p = &c->properties[0];
  sliced s = { .p = p, .f = &p->formula[0] };
  const char *why;
  d = (definition){
    .p = p, .f = &p->formula[0], .written = &c->written[0], .t = t, .tally = all
  };
  d.creation = omen_formula_creation (p, d.written, 0, &why);
  if (!why && !same_creation (&d)) {
    printf ("# seed %llu: creation events %llx, but %llx by the definition\n%s",
            (unsigned long long)seed, (unsigned long long)d.f->creation,
            (unsigned long long)d.creation, spec->page.text);
    all->wrong++;
  }
  define (&d);
  slice (&s, t, seed % 3 != 0, all);
  if (d.out.count)
    qsort (d.out.data, d.out.count, sizeof *d.out.data, compare);
  if (s.out.count)
    qsort (s.out.data, s.out.count, sizeof *s.out.data, compare);
  if (!d.full
      && (d.misjudged || d.out.count != s.out.count
          || (d.out.count
              && memcmp (d.out.data, s.out.data,
                         d.out.count * sizeof *d.out.data)))) {
    complain (seed, spec, p, t, &d.out, &s.out);
    all->wrong++;
  }
  all->verdicts += d.out.count;
  all->with_verdicts += d.out.count > 0;
  all->by_logic[spec->logic] += d.out.count > 0;
  OMEN_VEC_FINI (d.out);
  OMEN_VEC_FINI (s.out);
}

static void
one_pair (uint64_t seed, tally *all)
{
  dice d = { seed };
  random_spec spec;
  omen_compiled *c;
  omen_spec *parsed;
  trace t;
  bool mortal = seed % MORTAL == 0;
  if (mortal)
    random_spec_mortal (&spec, &d);
  else
    random_spec_make (&spec, &d, (unsigned)(seed % RANDOM_LOGICS));
  c = random_compile (seed, &spec.page, &parsed);
  for (unsigned i = 0; c && i < (mortal ? TRACES : 1); i++) {
    random_trace (&t, &c->properties[0], &d, mortal);
    compare_both (seed, &spec, c, &t, all);
    all->pairs++;
  }
  all->refused += !c;
  omen_compiled_free (c);
  omen_spec_free (parsed);
}

int
main (int argc, char **argv)
{
  uint64_t first, count = campaign_size (argc, argv, 5000, 500000, &first);
  tally all = { 0 };
  bool enough = true;
  for (uint64_t i = 0; i < count && all.wrong + all.refused < ENOUGH; i++)
    one_pair (first + i, &all);
  printf ("# share %llu pairs, %llu with verdicts (",
          (unsigned long long)all.pairs, (unsigned long long)all.with_verdicts);
  for (int i = 0; i < RANDOM_LOGICS; i++) {
    printf ("%s%s %llu", i ? ", " : "", random_logics[i],
            (unsigned long long)all.by_logic[i]);
    enough &= all.by_logic[i] * 40 > count;
  }
  printf ("), %llu verdicts, %llu instances collected, %llu quick events\n",
          (unsigned long long)all.verdicts, (unsigned long long)all.collected,
          (unsigned long long)all.quick);
  enough &= count < 1000
            || (all.collected * 20 > all.pairs && all.quick * 20 > all.pairs);
  printf ("# share the judge says no %llu, yes %llu, nothing %llu\n",
          (unsigned long long)all.judged[0], (unsigned long long)all.judged[1],
          (unsigned long long)all.unjudged);
  printf ("# share slices with something unknown: %llu, %llu with verdicts\n",
          (unsigned long long)all.guessed, (unsigned long long)all.sure);
  enough &= count < 1000
            || (all.guessed * 10 > all.pairs && all.sure * 10 > all.guessed);
  printf ("%s 1 - slicer and judge agree with the definition on %llu pairs\n",
          all.wrong ? "not ok" : "ok", (unsigned long long)all.pairs);
  printf ("%s 2 - every random property compiles\n",
          all.refused ? "not ok" : "ok");
  printf ("%s 3 - verdicts of all logics are seen, and instances collected\n",
          enough ? "ok" : "not ok");
  printf ("%s 4 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return all.wrong || all.refused || !enough || omen_mem_live ();
}
