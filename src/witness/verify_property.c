#include "witness/verify_property.h"
#include "monitor/heap.h"
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
  omen_eid last; /* right before, or NONE */
  bool close;    /* the binding saw it */
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

static bool
waits_for_nobody (const omen_event *event)
{
  return omen_kind_class (event->kind) != OMEN_CLASS_SYNC
         && event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
}

/* Could they have come at once? They are neighbours, and no rule makes one of
   them wait. */
static bool
are_parallel (const judge *j, omen_eid a, omen_eid b)
{
  const omen_event *x, *y;
  if (a == OMEN_NONE || !j->close)
    return false;
  x = omen_trace_event (j->trace, a);
  y = omen_trace_event (j->trace, b);
  return x->thread != y->thread && waits_for_nobody (x) && waits_for_nobody (y);
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
  j->last = e;
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

bool
omen_property_shown (const omen_trace *trace, const omen_property *properties,
                     uint32_t count, const omen_witness *witness,
                     omen_err *err)
{
  judge j = { .trace = trace, .witness = witness, .last = OMEN_NONE };
  bool ok;
  OMEN_REQUIRE (witness->claim.about);
  if (!find_formula (&j, properties, count, err))
    return false;
  j.observer = omen_observer_new (trace, j.property);
  omen_watched_init (j.observer, &j.watched);
  j.slicer = omen_slicer_new (j.property, witness->claim.word, &omen_heap);
  ok = j.slicer ? run (&j, err) : refuse (err, "out of memory");
  omen_slicer_free (j.slicer);
  omen_watched_fini (&j.watched);
  omen_observer_free (j.observer);
  return ok;
}
