/* Properties against the oracle: for random pairs of a property and a trace,
   the verdicts that predict finds for each binding are those that the
   property's monitor reaches on some reordering, under every model; every
   witness verified.

   The oracle gives all orders in which the events that a binding sees can come;
   the monitor (the slicer, with all its instances) is run over each of them.

     test_property_campaign [COUNT [FIRST SEED]]

   Without COUNT: 2,000 pairs (500 with sanitizers, which are slow), or
   OMEN_CAMPAIGN=long: 200,000. */
#include "draw.h"
#include "monitor/heap.h"
#include "draw_property.h"
#include "oracle.h"
#include "predict/predict.h"
#include "size.h"
#include "spec/compile.h"
#include "trace/text.h"
#include "monitor/slicer.h"
#include "witness/observe.h"
#include "witness/verify.h"
#include "words.h"

#include <inttypes.h>
#include <stdio.h>

#ifdef __SANITIZE_ADDRESS__
#define PAIRS 500
#else
#define PAIRS 2000
#endif
#define STATES_MAX 60000
#define VERDICTS_MAX 64
#define VALUES_MAX 12
/* At least so many of 100 bindings have a verdict, and so many have none; so
   many verdicts of 100 are not those of the trace itself. */
#define LEAST_SHARE 10
#define LEAST_NEW 10
/* One trace in so many has many emits; so many pairs of 100 have some that tell
   of an access. */
#define MANY_EMITS 8
#define LEAST_TOLD 2

typedef struct tally {
  uint64_t pairs, wrong, open, skipped, bindings, with, verdicts, observed;
  uint64_t asked, refuted;      /* of the engine */
  uint64_t questions, machines; /* bindings of patterns, by who decided */
  uint64_t told;                /* pairs with accesses of which emits tell */
  uint64_t besides, may_be; /* runs with `(.)`, and those that stay open: that
                               two are no neighbours cannot be asked for */
} tally;

/* A verdict as text: "violation a=1 b=T2". */
typedef struct verdicts {
  unsigned count;
  char text[VERDICTS_MAX][96];
} verdicts;

typedef struct subject {
  uint64_t seed;
  const char *spec;
  const omen_trace *trace;
  const omen_model *model;
  const omen_property *property;
  omen_observer *observer;
  omen_verifier *verifier;
  tally *t;
  verdicts wanted, found;
  bool undecided;
  omen_model_name name;
} subject;

static void
complain (const subject *s, const char *what, const char *which)
{
  printf ("# seed %" PRIu64 ", model %s: %s: %s\n%s", s->seed,
          omen_model_text (s->name), what, which, s->spec);
  fflush (stdout);
  omen_text_write (s->trace, stdout, NULL);
  s->t->wrong++;
}

/* ---- verdicts ---- */

static bool
has (const verdicts *v, const char *text)
{
  for (unsigned i = 0; i < v->count; i++)
    if (!strcmp (v->text[i], text))
      return true;
  return false;
}

static void
add (verdicts *v, const char *text)
{
  if (!has (v, text) && v->count < VERDICTS_MAX)
    snprintf (v->text[v->count++], sizeof v->text[0], "%s", text);
}

static void
append (char text[96], const char *name, const char *value)
{
  size_t used = strlen (text);
  snprintf (text + used, 96 - used, " %s=%s", name, value);
}

/* ---- the monitor over a word ---- */

typedef struct binding {
  uint32_t set;
  uint64_t values[OMEN_PARAMETERS_MAX];
} binding;

typedef struct listener {
  subject *s;
  const binding *binding;
  bool last; /* the event at hand is the word's last */
  bool any;
} listener;

static bool
same_binding (const binding *b, const omen_landing_report *r)
{
  if (b->set != r->bound)
    return false;
  for (uint32_t rest = b->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    if (b->values[p] != r->values[p])
      return false;
  }
  return true;
}

static bool
listen (void *self, const omen_landing_report *r)
{
  listener *l = self;
  const omen_property *p = l->s->property;
  const omen_formula *f = &p->formula[0];
  for (uint32_t c = 0; c < f->categories; c++) {
    char text[96] = "";
    if (!l->last || !same_binding (l->binding, r) || !(r->categories >> c & 1))
      continue;
    snprintf (text, sizeof text, "%s", f->category[c]);
    for (uint32_t i = 0; i < p->parameters; i++)
      if (r->bound >> i & 1)
        append (text, p->parameter[i],
                omen_observer_text (l->s->observer, r->values[i]));
    add (&l->s->wanted, text);
    l->any = true;
  }
  return r->categories & f->resets;
}

/* Neighbours that come at once: neither waits for anybody. */
static bool
at_once (const subject *s, omen_eid a, omen_eid b)
{
  const omen_event *events[]
      = { omen_trace_event (s->trace, a), omen_trace_event (s->trace, b) };
  for (int i = 0; i < 2; i++)
    if (omen_kind_class (events[i]->kind) == OMEN_CLASS_SYNC
        || events[i]->kind == OMEN_ALLOC || events[i]->kind == OMEN_EXTERNAL)
      return false;
  return events[0]->thread != events[1]->thread;
}

static bool covers (const subject *s, const binding *b,
                    const omen_occurrence *o);

static void
run_monitor (void *context, const omen_eid *word, unsigned length,
             uint64_t close)
{
  listener *l = context;
  omen_slicer *slicer = omen_slicer_new (l->s->property, 0, &omen_heap);
  omen_watched watched;
  bool seen_before = false; /* the letter before is an event of the slice */
  omen_watched_init (l->s->observer, &watched);
  for (unsigned i = 0; i < length; i++) {
    omen_occurrence seen[OMEN_EVENTS_MAX];
    uint64_t dead[OMEN_DEAD_MAX];
    uint32_t count;
    bool apart = !(close >> i & 1) || !seen_before
                 || !at_once (l->s, word[i - 1], word[i]);
    seen_before = false;
    l->last = i + 1 == length;
    omen_watched_apply (l->s->observer, &watched, word[i]);
    count = omen_observe (l->s->observer, word[i], &watched, seen);
    for (uint32_t k = 0; k < count; k++) {
      bool mine = covers (l->s, l->binding, &seen[k]);
      seen[k].apart = apart || !mine;
      if (!seen[k].apart)
        seen[k].predicates |= l->s->property->beside;
      apart |= mine;
      seen_before |= mine;
      omen_slicer_event (slicer, &seen[k], listen, l);
    }
    count = omen_observe_dead (l->s->observer, word[i], dead);
    for (uint32_t k = 0; k < count; k++)
      omen_slicer_dead (slicer, dead[k]);
  }
  omen_watched_fini (&watched);
  omen_slicer_free (slicer);
}

/* ---- bindings: every combination of values that occur ---- */

typedef struct values {
  unsigned count;
  uint64_t value[VALUES_MAX];
} values;

static void
find_values (const subject *s, values *v)
{
  for (omen_eid e = 0; e < s->trace->events.count; e++) {
    omen_occurrence seen[OMEN_EVENTS_MAX];
    uint32_t count = omen_observe (s->observer, e, NULL, seen);
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t p = 0; p < s->property->parameters; p++) {
        bool new = s->property->event[seen[i].event].binds >> p & 1;
        for (unsigned k = 0; k < v[p].count; k++)
          new = new && v[p].value[k] != seen[i].values[p];
        if (new && v[p].count < VALUES_MAX)
          v[p].value[v[p].count++] = seen[i].values[p];
      }
  }
}

static bool
covers (const subject *s, const binding *b, const omen_occurrence *o)
{
  uint32_t binds = s->property->event[o->event].binds;
  if (binds & ~b->set || !(s->property->formula[0].listens >> o->event & 1))
    return false;
  for (uint32_t p = 0; p < s->property->parameters; p++)
    if (binds >> p & 1 && o->values[p] != b->values[p])
      return false;
  return true;
}

/* Events that the binding sees. */
static void
find_letters (const subject *s, const binding *b, bool *letters)
{
  for (omen_eid e = 0; e < s->trace->events.count; e++) {
    omen_occurrence seen[OMEN_EVENTS_MAX];
    uint64_t dead[OMEN_DEAD_MAX];
    uint32_t count = omen_observe (s->observer, e, NULL, seen);
    letters[e] = omen_watched_written (s->observer, e);
    for (uint32_t i = 0; i < count; i++)
      letters[e] |= covers (s, b, &seen[i]);
    count = omen_observe_dead (s->observer, e, dead);
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t p = 0; p < s->property->parameters; p++)
        letters[e] |= b->set >> p & 1 && b->values[p] == dead[i];
  }
}

/* Does a pointcut that may pick the access look at its value? */
static bool
looks_at (const omen_property_event *event, const char *variable)
{
  for (uint32_t i = 0; i < event->cut_count; i++) {
    const omen_cut *cut = &event->cuts[i];
    if (cut->kind == OMEN_CUT_GET && omen_pattern_fits (cut->pattern, variable)
        && (cut->arg_count || cut->returning || cut->condition))
      return true;
  }
  return false;
}

/* Plain reads of variables whose value the property does not look at. */
static void
find_loose (const subject *s, bool *loose)
{
  for (omen_eid e = 0; e < s->trace->events.count; e++) {
    const omen_event *event = omen_trace_event (s->trace, e);
    const char *variable;
    loose[e] = event->kind == OMEN_READ || event->kind == OMEN_ATOMIC_READ;
    if (!loose[e])
      continue;
    variable = omen_trace_variable_name (
        s->trace, s->trace->places.data[event->object].variable);
    for (uint32_t i = 0; i < s->property->events; i++)
      loose[e] &= !looks_at (&s->property->event[i], variable);
  }
}

static bool
ask_oracle (subject *s, const oracle *o, const binding *b)
{
  bool letters[ORACLE_EVENTS] = { false }, loose[ORACLE_EVENTS] = { false };
  listener l = { .s = s, .binding = b };
  find_letters (s, b, letters);
  find_loose (s, loose);
  if (!oracle_words (o, letters, loose,
                     strstr (s->spec, "||") || s->property->beside, STATES_MAX,
                     run_monitor, &l))
    return false;
  s->t->bindings++;
  s->t->with += l.any;
  return true;
}

/* All bindings from parameter p on. False: too much for the oracle. */
static bool
ask_bindings (subject *s, const oracle *o, const values *v, uint32_t p,
              binding *b)
{
  binding more = *b;
  if (p == s->property->parameters)
    return ask_oracle (s, o, b);
  if (!ask_bindings (s, o, v, p + 1, b))
    return false;
  more.set |= 1u << p;
  for (unsigned i = 0; i < v[p].count; i++) {
    more.values[p] = v[p].value[i];
    if (!ask_bindings (s, o, v, p + 1, &more))
      return false;
  }
  return true;
}

/* ---- predict ---- */

static bool
take (void *context, omen_finding *finding)
{
  subject *s = context;
  const omen_about *about = finding->witness.claim.about;
  omen_err err = { 0 };
  char text[96];
  snprintf (text, sizeof text, "%s", about->category);
  for (size_t i = 0; i < about->binding.count; i++)
    append (text, about->binding.data[i].name, about->binding.data[i].value);
  if (!omen_verify (s->verifier, &finding->witness, &err))
    complain (s, err.what, text);
  if (has (&s->found, text))
    complain (s, "told twice", text);
  add (&s->found, text);
  omen_finding_fini (finding);
  return true;
}

static void
ask_predict (subject *s)
{
  omen_predict_spec spec = { s->property, 1, 7 };
  omen_predict_options options
      = { .model = s->name,
          .jobs = 1,
          .group = OMEN_GROUP_NONE,
          .spec = &spec,
          .identity = omen_trace_identity (s->trace),
          .engine = { .budget = { .steps = 100000 } } };
  omen_predict_stats stats = { 0 };
  omen_sink sink = { take, NULL, s };
  omen_predict_property (s->model, &options, &sink, &stats);
  s->t->asked += stats.engine.asked;
  s->t->refuted += stats.engine.absent;
  s->t->questions += stats.pattern_asked;
  s->t->machines += stats.pattern_machine;
  s->undecided = stats.undecided;
  s->t->besides += s->property->beside != 0;
  s->t->may_be += s->undecided && s->property->beside;
  if (s->undecided && !s->property->beside) {
    s->t->open++;
    complain (s, "undecided", "");
  }
  omen_predict_stats_fini (&stats);
}

static void
compare (subject *s)
{
  for (unsigned i = 0; i < s->wanted.count; i++)
    if (!has (&s->found, s->wanted.text[i]) && !s->undecided)
      complain (s, "the oracle says yes, predict no", s->wanted.text[i]);
  for (unsigned i = 0; i < s->found.count; i++)
    if (!has (&s->wanted, s->found.text[i]))
      complain (s, "predict says yes, the oracle no", s->found.text[i]);
  s->t->verdicts += s->wanted.count;
}

/* What the run itself shows, for the share of what is news. */
static void
count_observed (subject *s)
{
  omen_predict_spec spec = { s->property, 1, 7 };
  omen_predict_options options = { .model = OMEN_MODEL_LATTICE,
                                   .breadth = 1,
                                   .group = OMEN_GROUP_NONE,
                                   .spec = &spec };
  omen_predict_stats stats = { 0 };
  omen_sink sink = { take, NULL, s };
  s->found.count = 0;
  options.identity = omen_trace_identity (s->trace);
  omen_predict_property (s->model, &options, &sink, &stats);
  s->t->observed += s->found.count;
  omen_predict_stats_fini (&stats);
}

static bool
ask_model (subject *s, omen_model_name name)
{
  omen_err err = { 0 };
  oracle *o = oracle_new (s->trace, name, &(oracle_request){ 0 }, &err);
  values v[OMEN_PARAMETERS_MAX] = { 0 };
  binding none = { 0 };
  bool good;
  s->name = name;
  s->wanted.count = s->found.count = 0;
  find_values (s, v);
  good = o && ask_bindings (s, o, v, 0, &none);
  if (good) {
    ask_predict (s);
    compare (s);
    if (name == OMEN_MODEL_LATTICE)
      count_observed (s);
  }
  oracle_free (o);
  return good;
}

/* ---- pairs ---- */

static bool
has_told_access (const subject *s)
{
  for (omen_eid e = 0; e < s->trace->events.count; e++) {
    omen_occurrence seen[OMEN_EVENTS_MAX];
    uint32_t count = omen_observe (s->observer, e, NULL, seen);
    omen_kind kind = omen_trace_event (s->trace, e)->kind;
    for (uint32_t i = 0; i < count; i++)
      if (omen_kind_class (kind) == OMEN_CLASS_ACCESS
          && omen_observer_emitted (s->observer, seen[i].event))
        return true;
  }
  return false;
}

static void
ask_property (uint64_t seed, const omen_trace *trace, const char *text,
              const omen_compiled *compiled, tally *t)
{
  omen_err err = { 0 };
  subject s = { .seed = seed, .spec = text, .trace = trace, .t = t };
  bool all = true;
  omen_model *model = omen_model_new (trace, &err);
  s.model = model;
  s.verifier = omen_verifier_new (trace, &err);
  s.property = &compiled->properties[0];
  omen_verifier_properties (
      s.verifier, &(omen_property_file){ s.property, compiled->written, 1, 7 });
  s.observer = omen_observer_new (trace, s.property);
  for (omen_model_name name = 0; all && name < OMEN_MODELS; name++)
    all = ask_model (&s, name);
  t->pairs += all;
  t->told += all && has_told_access (&s);
  t->skipped += !all;
  omen_observer_free (s.observer);
  omen_verifier_free (s.verifier);
  omen_model_free (model);
}

static void
one_pair (uint64_t seed, tally *t)
{
  char text[DRAWN_MAX];
  oracle_knobs knobs;
  omen_trace *trace;
  omen_err err = { 0 };
  omen_spec *spec;
  omen_compiled *compiled = NULL;
  oracle_knobs_default (&knobs, seed);
  if (!(seed % MANY_EMITS))
    knobs.emit += ORACLE_SURE + knobs.access;
  trace = oracle_generate (&knobs);
  draw_property (trace, seed, text);
  spec = omen_spec_parse ("drawn", text, strlen (text), &err);
  if (spec)
    compiled = omen_spec_compile (spec, &err);
  if (compiled)
    ask_property (seed, trace, text, compiled, t);
  else
    t->skipped++;
  omen_compiled_free (compiled);
  omen_spec_free (spec);
  omen_trace_free (trace);
}

static int
report (const tally *t)
{
  double with = in_hundred (t->with, t->bindings);
  bool both = with >= LEAST_SHARE && with <= 100 - LEAST_SHARE;
  double questions = in_hundred (t->questions, t->questions + t->machines);
  bool asked = questions >= LEAST_SHARE && questions <= 100 - LEAST_SHARE;
  bool told = t->told * 100 >= t->pairs * LEAST_TOLD;
  bool beside = t->besides > t->may_be * 10;
  bool news = t->observed * 100 <= t->verdicts * (100 - LEAST_NEW);
  printf ("# share %" PRIu64 " pairs, %" PRIu64 " left out, %" PRIu64
          " bindings, %.1f of 100 with a verdict; %" PRIu64 " verdicts\n",
          t->pairs, t->skipped, t->bindings, with, t->verdicts);
  printf ("# share %" PRIu64 " questions to the engine, %.1f of 100 refuted\n",
          t->asked, in_hundred (t->refuted, t->asked));
  printf ("# share %" PRIu64 " bindings of patterns, %.1f of 100 put to the "
          "engine as questions\n",
          t->questions + t->machines, questions);
  printf ("# share %" PRIu64 " runs with (.), %.1f of 100 undecided\n",
          t->besides, in_hundred (t->may_be, t->besides));
  printf ("# share %.1f of 100 pairs with accesses that emits tell of\n",
          in_hundred (t->told, t->pairs));
  printf ("%s 1 - properties and oracle agree on %" PRIu64 " pairs\n",
          t->wrong ? "not ok" : "ok", t->pairs);
  printf ("%s 2 - nothing undecided\n", t->open ? "not ok" : "ok");
  printf ("%s 3 - at least %d of 100 bindings have verdicts, and have none\n",
          both ? "ok" : "not ok", LEAST_SHARE);
  printf ("%s 4 - verdicts that the trace itself does not show\n",
          news ? "ok" : "not ok");
  printf ("%s 5 - at least %d of 100 patterns are questions, and are not\n",
          asked ? "ok" : "not ok", LEAST_SHARE);
  printf ("%s 6 - at least %d of 100 pairs have emits that tell of accesses\n",
          told ? "ok" : "not ok", LEAST_TOLD);
  printf ("%s 7 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  printf ("%s 8 - most runs with (.) are decided\n", beside ? "ok" : "not ok");
  return t->wrong || t->open || !both || !news || !asked || !told || !beside
         || omen_mem_live ();
}

int
main (int argc, char **argv)
{
  uint64_t first;
  uint64_t count = campaign_size (argc, argv, PAIRS, 200000, &first);
  tally t = { 0 };
  for (uint64_t seed = first; t.pairs < count && t.wrong < ENOUGH; seed++)
    one_pair (seed, &t);
  return report (&t);
}
