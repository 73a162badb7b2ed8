#include "witness/verify_property.h"
#include "base/map.h"
#include "witness/judge.h"
#include "witness/observe.h"

#include <string.h>

typedef struct judge {
  const omen_trace *trace;
  const omen_witness *witness;
  const omen_property *property;
  const omen_written *written; /* of the property */
  const omen_formula *formula; /* for its names */
  uint64_t listens;
  uint32_t category;
  omen_observer *observer;
  omen_watched watched;
  OMEN_VEC (omen_judged_letter) slice;
  size_t latest;   /* letters from here on are of the last claimed event met */
  omen_map deaths; /* by value: how often it died */
  omen_eid last;   /* the event right before, or NONE */
  bool close;      /* the binding saw `last` */
  size_t seen;     /* claimed events met so far */
} judge;

static bool
refuse (omen_err *err, const char *what)
{
  return omen_err_set (err, "", "claim: %s", what);
}

/* ---- what is claimed ---- */

static bool
find_property (judge *j, const omen_property_file *file, const char *name)
{
  for (uint32_t i = 0; i < file->count && !j->property; i++)
    if (!strcmp (file->properties[i].name, name)) {
      j->property = &file->properties[i];
      j->written = &file->written[i];
    }
  return j->property != NULL;
}

/* The text that the claim binds the parameter to, or NULL. */
static const char *
claimed_text (const judge *j, uint32_t parameter)
{
  const omen_about *about = j->witness->claim.about;
  for (size_t i = 0; i < about->binding.count; i++)
    if (!strcmp (about->binding.data[i].name,
                 j->property->parameter[parameter]))
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
      known &= strcmp (about->binding.data[i].name, about->binding.data[k].name)
               != 0;
    if (!known)
      return false;
  }
  return true;
}

static bool
find_formula (judge *j, const omen_property_file *file, omen_err *err)
{
  const omen_about *about = j->witness->claim.about;
  if (!find_property (j, file, about->property))
    return refuse (err, "the property file has no such property");
  if (j->witness->claim.word >= j->property->formulas)
    return refuse (err, "the property has no such formula");
  j->formula = &j->property->formula[j->witness->claim.word];
  j->listens
      = omen_formula_listens (j->property, j->written, j->witness->claim.word);
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
occurrence_covers (const judge *j, const omen_occurrence *o)
{
  uint32_t binds = j->property->event[o->event].binds;
  for (uint32_t p = 0; p < j->property->parameters; p++)
    if (binds >> p & 1 && !is_value (j, p, o->values[p]))
      return false;
  return j->listens >> o->event & 1;
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

/* Append a letter to the slice. A value that has died since is another
   object. */
static void
add_letter (judge *j, const omen_occurrence *o)
{
  uint32_t beside = o->apart ? 0 : j->property->beside;
  omen_judged_letter added = { .letter = { o->event, o->predicates | beside,
                                           o->thread, o->apart, o->unknown } };
  uint32_t binds = j->property->event[o->event].binds;
  for (uint32_t p = 0; p < j->property->parameters; p++)
    if (binds >> p & 1)
      added.objects[p] = omen_map_get (&j->deaths, o->values[p]);
  OMEN_VEC_PUSH (j->slice, added);
}

static void
add_death (judge *j, uint64_t value)
{
  uint32_t *deaths = omen_map_at (&j->deaths, value);
  *deaths = *deaths == OMEN_NONE ? 0 : *deaths + 1;
}

/* An event that the binding sees must be the next claimed one. */
static bool
meet (judge *j, omen_eid e, omen_err *err)
{
  const omen_ids *claimed = &j->witness->claim.events;
  char text[OMEN_WITNESS_EVENT_MAX];
  if (j->seen < claimed->count && claimed->data[j->seen] == e) {
    j->seen++;
    return true;
  }
  return omen_err_set (err, "",
                       "claim: %s: the binding sees it, but it is not "
                       "claimed there",
                       omen_witness_event (j->trace, e, text));
}

/* Mark as apart what cannot be simultaneous: several occurrences of one event
   come one after the other. */
static bool
covers_any (const judge *j, omen_eid e, omen_occurrence *occurred,
            uint32_t count)
{
  bool any = false;
  /* They could be simultaneous if they are neighbours and neither can block. */
  bool parallel = j->last != OMEN_NONE && j->close
                  && omen_observer_parallel (j->observer, j->last, e);
  for (uint32_t i = 0; i < count; i++) {
    bool mine = occurrence_covers (j, &occurred[i]);
    occurred[i].apart = any || !mine || !parallel;
    any |= mine;
  }
  return any;
}

static bool
take_event (judge *j, omen_eid e, omen_err *err)
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
  if (sees && !meet (j, e, err))
    return false;
  if (sees)
    j->latest = j->slice.count;
  j->close = sees;
  j->last = e;
  for (uint32_t i = 0; i < count; i++)
    if (occurrence_covers (j, &occurred[i]))
      add_letter (j, &occurred[i]);
  for (uint32_t i = 0; i < deaths; i++)
    add_death (j, dead[i]);
  return true;
}

static bool
run_sequence (judge *j, omen_err *err)
{
  const omen_ids *sequence = &j->witness->sequence;
  for (size_t i = 0; i < sequence->count; i++)
    if (!take_event (j, sequence->data[i], err))
      return false;
  return j->seen == j->witness->claim.events.count
         || refuse (err, "not all claimed events are in the sequence");
}

/* A read that sees something else is still the same event if it only reads, and
   the property does not depend on the value. */
static bool
are_themselves (const judge *j, const omen_ids *strange, omen_err *err)
{
  char text[OMEN_WITNESS_EVENT_MAX];
  for (size_t i = 0; i < strange->count; i++) {
    omen_eid e = strange->data[i];
    if (omen_kind_writes (omen_trace_event (j->trace, e)->kind)
        || omen_observer_needs_value (j->observer, e))
      return omen_err_set (err, "",
                           "claim: %s: does not see what it saw in the trace",
                           omen_witness_event (j->trace, e, text));
  }
  return true;
}

/* Evaluate the formula on the slice. */
static omen_refusal
judge_formula (judge *j, omen_err *err)
{
  const char *why = NULL;
  uint32_t bound = 0;
  omen_formula_answer judged;
  for (uint32_t p = 0; p < j->property->parameters; p++)
    bound |= claimed_text (j, p) ? 1u << p : 0;
  for (size_t i = j->latest; i < j->slice.count; i++)
    j->slice.data[i].last = true;
  judged = omen_formula_says (j->property, j->written, j->witness->claim.word,
                              j->category, j->slice.data, j->slice.count, bound,
                              &why);
  if (judged == OMEN_SAYS_YES)
    return OMEN_REFUSED_NOT_AT_ALL;
  if (judged == OMEN_SAYS_NO) {
    refuse (err, "the formula is not in that category there");
    return OMEN_REFUSED_VERDICT;
  }
  refuse (err, why);
  return OMEN_REFUSED_UNJUDGED;
}

omen_refusal
omen_property_shown (const omen_trace *trace, const omen_property_file *file,
                     const omen_witness *witness, const omen_ids *strange,
                     omen_err *err)
{
  judge j = { .trace = trace, .witness = witness, .last = OMEN_NONE };
  omen_refusal refusal;
  OMEN_REQUIRE (witness->claim.about);
  if (!find_formula (&j, file, err))
    return OMEN_REFUSED;
  j.observer = omen_observer_new (trace, j.property);
  omen_watched_init (j.observer, &j.watched);
  omen_map_init (&j.deaths);
  refusal = are_themselves (&j, strange, err) && run_sequence (&j, err)
                ? judge_formula (&j, err)
                : OMEN_REFUSED;
  omen_map_fini (&j.deaths);
  OMEN_VEC_FINI (j.slice);
  omen_watched_fini (&j.watched);
  omen_observer_free (j.observer);
  return refusal;
}
