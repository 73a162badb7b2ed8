#include "driver/spec_coverage.h"
#include "driver/message.h"
#include "witness/observe.h"

#include <string.h>

/* Is the event in the file? The one for state predicates is implicit. */
static bool
is_written (const omen_spec_property *p, size_t event)
{
  return !p->predicates.count || event != p->events.count - 1;
}

/* An event has a fate for each pointcut, or one if it has none. */
static size_t
fates_of (const omen_spec_event *event)
{
  return event->cuts.count ? event->cuts.count : 1;
}

static size_t
first_fate (const omen_spec_coverage *s, uint32_t property)
{
  size_t first = 0;
  for (uint32_t p = 0; p < property; p++) {
    const omen_spec_property *other = &s->file->spec->properties.data[p];
    for (size_t e = 0; e < other->events.count; e++)
      first += fates_of (&other->events.data[e]);
  }
  return first;
}

void
omen_spec_coverage_init (omen_spec_coverage *s, const omen_spec_file *file)
{
  uint32_t count = (uint32_t)file->spec->properties.count;
  *s = (omen_spec_coverage){ .file = file };
  for (size_t i = first_fate (s, count); i > 0; i--)
    OMEN_VEC_PUSH (s->fates, OMEN_CUT_NO_CONDITION); /* the worst one */
}

void
omen_spec_coverage_fini (omen_spec_coverage *s)
{
  OMEN_VEC_FINI (s->fates);
  OMEN_VEC_FINI (s->watched);
}

/* Add the variables of state predicates, once each, and whether the trace has
   them. */
static void
add_watched (omen_spec_coverage *s, uint32_t property,
             const omen_observer *observer)
{
  for (uint32_t i = 0; i < omen_watched_count (observer); i++) {
    const char *name = omen_watched_name (observer, i);
    size_t k = 0;
    while (k < s->watched.count
           && (s->watched.data[k].property != property
               || strcmp (s->watched.data[k].name, name)))
      k++;
    if (k == s->watched.count)
      OMEN_VEC_PUSH (s->watched,
                     ((omen_spec_covered){ property, name, false }));
    s->watched.data[k].found |= omen_watched_exists (observer, i);
  }
}

void
omen_spec_coverage_add (omen_spec_coverage *s, uint32_t property,
                        const omen_observer *observer)
{
  const omen_spec_property *p = &s->file->spec->properties.data[property];
  size_t at = first_fate (s, property);
  for (uint32_t e = 0; e < p->events.count; e++) {
    const omen_spec_event *event = &p->events.data[e];
    for (uint32_t i = 0; i < fates_of (event); i++, at++) {
      omen_cut_fate fate
          = event->cuts.count ? omen_observer_fate (observer, e, i)
            : omen_observer_emitted (observer, e) ? OMEN_CUT_EMITTED
                                                  : OMEN_CUT_NOTHING;
      OMEN_ASSERT (at < s->fates.count);
      if (fate < s->fates.data[at])
        s->fates.data[at] = fate;
    }
  }
  add_watched (s, property, observer);
}

void
omen_spec_coverage_walk (omen_spec_coverage *s, const omen_trace *trace)
{
  s->left_out
      |= !s->recorded_for && (trace->rebuilt.private || trace->rebuilt.settled);
  for (uint32_t p = 0; p < s->file->compiled->count; p++) {
    omen_occurrence seen[OMEN_EVENTS_MAX];
    omen_observer *observer
        = omen_observer_new (trace, &s->file->compiled->properties[p]);
    for (omen_eid e = 0; e < trace->events.count; e++)
      omen_observe (observer, e, NULL, seen);
    omen_spec_coverage_add (s, p, observer);
    omen_observer_free (observer);
  }
}

/* ---- warnings ---- */

static const char *
why_not (omen_cut_fate fate)
{
  switch (fate) {
  case OMEN_CUT_NOTHING:
    return "matched nothing in this trace";
  case OMEN_CUT_NO_VALUES:
    return "binds values that are not in a trace, and the trace has no emit of "
           "this event";
  case OMEN_CUT_NO_CONDITION:
    return "is not looked for: its condition cannot be evaluated on a trace, only "
           "in a program compiled with omen cc --spec";
  default:
    return NULL;
  }
}

static void
warn_of_event (const omen_spec *spec, const omen_spec_event *event)
{
  omen_place_in_file at;
  omen_spec_place (spec, event->offset, &at);
  omen_warn ("%s:%u:%u: event %s is not in this trace", at.path, at.line,
             at.column, event->name);
}

static const char left_out[]
    = "; accesses of one thread alone are left out of a recording, unless it is "
      "made with omen record --spec (omen spec run sees them)";

static const char of_types[]
    = "; fields by their type are events only of programs compiled with this "
      "file (omen cc --spec)";

static void
warn_of_cut (const omen_spec_coverage *s, const omen_spec_event *event,
             const omen_cut *cut, omen_cut_fate fate)
{
  const omen_spec *spec = s->file->spec;
  bool hint = s->left_out && fate == OMEN_CUT_NOTHING
              && omen_cut_takes (cut->kind) == OMEN_CUT_VARIABLE;
  bool typed = fate == OMEN_CUT_NOTHING && cut->pattern
               && omen_pattern_is_typed (cut->pattern);
  omen_place_in_file at;
  omen_spec_place (spec, cut->offset, &at);
  omen_warn ("%s:%u:%u: %s(%s) of event %s %s%s", at.path, at.line, at.column,
             omen_cut_word (cut->kind), cut->pattern ? cut->pattern : "",
             event->name, why_not (fate),
             typed  ? of_types
             : hint ? left_out
                    : "");
}

static void
warn_of_watched (const omen_spec *spec, const omen_spec_covered *watched)
{
  const omen_spec_property *p = &spec->properties.data[watched->property];
  omen_place_in_file at;
  if (watched->found)
    return;
  for (size_t i = 0; i < p->predicates.count; i++) {
    const omen_condition *c = p->predicates.data[i].condition;
    bool named = false;
    for (uint32_t n = 0; n < c->name_count; n++)
      named |= !strcmp (c->names[n], watched->name);
    if (!named)
      continue;
    omen_spec_place (spec, c->offset, &at);
    omen_warn ("%s:%u:%u: there is no variable '%s' in this trace; no verdict "
               "depends on %s",
               at.path, at.line, at.column, watched->name, c->text);
    return;
  }
}

void
omen_spec_coverage_warn (const omen_spec_coverage *s)
{
  const omen_spec *spec = s->file->spec;
  size_t at = 0;
  for (size_t p = 0; p < spec->properties.count; p++) {
    const omen_spec_property *property = &spec->properties.data[p];
    for (size_t e = 0; e < property->events.count; e++) {
      const omen_spec_event *event = &property->events.data[e];
      bool any = false;
      for (size_t i = 0; i < fates_of (event); i++)
        any |= !why_not (s->fates.data[at + i]);
      for (size_t i = 0; i < fates_of (event); i++) {
        omen_cut_fate fate = s->fates.data[at++];
        if (any) /* one matching alternative suffices */
          continue;
        if (why_not (fate) && event->cuts.count)
          warn_of_cut (s, event, &event->cuts.data[i], fate);
        else if (why_not (fate) && is_written (property, e))
          warn_of_event (spec, event);
      }
    }
  }
  OMEN_ASSERT (at == s->fates.count);
  for (size_t i = 0; i < s->watched.count; i++)
    warn_of_watched (spec, &s->watched.data[i]);
}
