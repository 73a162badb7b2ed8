#include "witness/verify_property.h"
#include "witness/observe.h"

#include <string.h>

typedef struct judge {
  const omen_trace *trace;
  const omen_witness *witness;
  const omen_property *property;
  const omen_formula *formula;
  uint32_t category;
  omen_observer *observer;
  omen_watched watched;
  omen_slicer *slicer;
  omen_eid last; /* that the binding saw, or NONE */
  bool close;    /* it was the event right before */
  size_t seen; /* claimed events met so far */
  bool landed; /* at the latest of them */
} judge;

static bool
refuse (omen_err *err, const char *what)
{
  return omen_err_set (err, "", "claim: %s", what);
}

/* ---- what is claimed ---- */

static const omen_property *
find_property (const omen_property *properties, uint32_t count,
               const char *name)
{
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp (properties[i].name, name))
      return &properties[i];
  return NULL;
}

/* The text that the claim binds the parameter to, or NULL. */
static const char *
claimed_text (const judge *j, uint32_t parameter)
{
  const omen_about *about = j->witness->claim.about;
  for (size_t i = 0; i < about->binding.count; i++)
    if (!strcmp (about->binding.data[i].name, j->property->parameter[parameter]))
      return about->binding.data[i].value;
  return NULL;
}

static bool
names_are_known (const judge *j)
{
  const omen_about *about = j->witness->claim.about;
  for (size_t i = 0; i < about->binding.count; i++) {
    bool known = false;
    for (uint32_t p = 0; p < j->property->parameters; p++)
      known |= !strcmp (about->binding.data[i].name, j->property->parameter[p]);
    for (size_t k = 0; k < i; k++)
      known &= strcmp (about->binding.data[i].name,
                       about->binding.data[k].name)
               != 0;
    if (!known)
      return false;
  }
  return true;
}

static bool
find_formula (judge *j, const omen_property *properties, uint32_t count,
              omen_err *err)
{
  const omen_about *about = j->witness->claim.about;
  j->property = find_property (properties, count, about->property);
  if (!j->property)
    return refuse (err, "the property file has no such property");
  if (j->witness->claim.word >= j->property->formulas)
    return refuse (err, "the property has no such formula");
  j->formula = &j->property->formula[j->witness->claim.word];
  for (j->category = 0; j->category < j->formula->categories; j->category++)
    if (!strcmp (j->formula->category[j->category], about->category))
      break;
  if (j->category == j->formula->categories)
    return refuse (err, "the formula has no such category");
  return names_are_known (j) || refuse (err, "no such parameter");
}

/* ---- what the binding sees ---- */

static bool
is_value (const judge *j, uint32_t parameter, uint64_t value)
{
  const char *text = claimed_text (j, parameter);
  return text && !strcmp (text, omen_observer_text (j->observer, value));
}

static bool
covers (const judge *j, const omen_occurrence *o)
{
  uint32_t binds = j->property->event[o->event].binds;
  for (uint32_t p = 0; p < j->property->parameters; p++)
    if (binds >> p & 1 && !is_value (j, p, o->values[p]))
      return false;
  return j->formula->listens >> o->event & 1;
}

static bool
ends_object (const judge *j, const uint64_t *dead, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t p = 0; p < j->property->parameters; p++)
      if (is_value (j, p, dead[i]))
        return true;
  return false;
}

/* ---- the run ---- */

static bool
report (void *self, const omen_report *r)
{
  judge *j = self;
  bool mine = r->categories >> j->category & 1;
  for (uint32_t p = 0; mine && p < j->property->parameters; p++)
    mine = r->bound >> p & 1 ? is_value (j, p, r->values[p])
                             : !claimed_text (j, p);
  j->landed |= mine;
  return r->categories & j->formula->resets;
}

/* The event must be the next claimed one if the binding sees it. */
static bool
meet (judge *j, omen_eid e, omen_err *err)
{
  const omen_ids *claimed = &j->witness->claim.events;
  char text[OMEN_WITNESS_EVENT_MAX];
  if (j->seen < claimed->count && claimed->data[j->seen] == e) {
    j->seen++;
    return true;
  }
  return omen_err_set (err, "", "claim: %s: the binding sees it, but it is not "
                                "claimed there",
                       omen_witness_event (j->trace, e, text));
}

/* How often the thread of e has taken the lock before it, and not given back: in
   write mode, and in read mode. */
static void
count_held (const omen_trace *trace, omen_eid e, omen_lid lock, int held[2])
{
  omen_tid t = omen_trace_event (trace, e)->thread;
  held[0] = held[1] = 0;
  for (uint32_t i = 0; i < trace->index[e]; i++) {
    const omen_event *event
        = omen_trace_event (trace, omen_trace_nth (trace, t, i));
    if (omen_kind_operand (event->kind) != OMEN_OPERAND_LOCK
        || event->object != lock)
      continue;
    held[0] += event->kind == OMEN_ACQUIRE;
    held[0] -= event->kind == OMEN_RELEASE && held[0];
    held[1] += event->kind == OMEN_READ_ACQUIRE;
    held[1] -= event->kind == OMEN_READ_RELEASE && held[1];
  }
}

/* Have their threads a lock in common there that only one can have? */
static bool
are_locked_apart (const omen_trace *trace, omen_eid a, omen_eid b)
{
  for (omen_lid l = 0; l < trace->names[OMEN_OPERAND_LOCK].count; l++) {
    int x[2], y[2];
    count_held (trace, a, l, x);
    count_held (trace, b, l, y);
    if ((x[0] && (y[0] || y[1])) || (x[1] && y[0]))
      return true;
  }
  return false;
}

static bool
waits_for_nobody (const omen_event *event)
{
  return omen_kind_class (event->kind) != OMEN_CLASS_SYNC
         && event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
}

/* Could they have come at once? They are neighbours, and no rule makes one of
   them wait; or one is an emit, beside what it is about, and no lock keeps them
   apart. */
static bool
are_parallel (const judge *j, omen_eid a, omen_eid b)
{
  const omen_event *x, *y;
  if (a == OMEN_NONE)
    return false;
  x = omen_trace_event (j->trace, a);
  y = omen_trace_event (j->trace, b);
  return x->thread != y->thread && waits_for_nobody (x) && waits_for_nobody (y)
         && (j->close
             || ((x->kind == OMEN_EMIT || y->kind == OMEN_EMIT)
                 && !are_locked_apart (j->trace, a, b)));
}

/* What of an event the binding sees comes one after the other. */
static bool
covers_any (const judge *j, omen_eid e, omen_occurrence *occurred,
            uint32_t count)
{
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    bool mine = covers (j, &occurred[i]);
    occurred[i].apart = any || !mine || !are_parallel (j, j->last, e);
    any |= mine;
  }
  return any;
}

static bool
take (judge *j, omen_eid e, omen_err *err)
{
  omen_occurrence occurred[OMEN_EVENTS_MAX];
  uint64_t dead[OMEN_DEAD_MAX];
  uint32_t count, deaths;
  bool sees = omen_watched_written (j->observer, e);
  omen_watched_apply (j->observer, &j->watched, e);
  count = omen_observe (j->observer, e, &j->watched, occurred);
  deaths = omen_observe_dead (j->observer, e, dead);
  sees |= covers_any (j, e, occurred, count);
  sees |= ends_object (j, dead, deaths);
  if (sees) {
    j->landed = false;
    if (!meet (j, e, err))
      return false;
  }
  j->close = sees;
  j->last = sees ? e : j->last;
  for (uint32_t i = 0; i < count; i++)
    if (!omen_slicer_event (j->slicer, &occurred[i], report, j))
      return refuse (err, "out of memory");
  for (uint32_t i = 0; i < deaths; i++)
    omen_slicer_dead (j->slicer, dead[i]);
  return true;
}

static bool
run (judge *j, omen_err *err)
{
  const omen_ids *sequence = &j->witness->sequence;
  for (size_t i = 0; i < sequence->count; i++)
    if (!take (j, sequence->data[i], err))
      return false;
  if (j->seen != j->witness->claim.events.count)
    return refuse (err, "not all claimed events are in the sequence");
  return j->landed
         || refuse (err, "the monitor does not land in that category there");
}

static void *
get (void *self, size_t bytes)
{
  (void)self;
  return omen_alloc (bytes);
}

static void
put (void *self, void *p, size_t bytes)
{
  (void)self, (void)bytes;
  omen_free (p);
}

bool
omen_property_shown (const omen_trace *trace, const omen_property *properties,
                     uint32_t count, const omen_witness *witness,
                     omen_err *err)
{
  const omen_memory memory = { get, put, NULL };
  judge j = { .trace = trace, .witness = witness, .last = OMEN_NONE };
  bool ok;
  OMEN_REQUIRE (witness->claim.about);
  if (!find_formula (&j, properties, count, err))
    return false;
  j.observer = omen_observer_new (trace, j.property);
  omen_watched_init (j.observer, &j.watched);
  j.slicer = omen_slicer_new (j.property, witness->claim.word, &memory);
  ok = j.slicer ? run (&j, err) : refuse (err, "out of memory");
  omen_slicer_free (j.slicer);
  omen_watched_fini (&j.watched);
  omen_observer_free (j.observer);
  return ok;
}
