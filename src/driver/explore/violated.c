#include "driver/explore/violated.h"
#include "driver/check/checked.h"
#include "explore/history.h"
#include "monitor/heap.h"
#include "monitor/slicer.h"
#include "witness/observe.h"

#include <stdio.h>
#include <stdlib.h>

/* One formula over the trace. */
typedef struct watching {
  const omen_trace *trace;
  const omen_property *property;
  const omen_formula *formula;
  const omen_observer *observer;
  omen_slicer *slicer;
  uint32_t landed; /* categories, ever */
  omen_eid event;
  omen_violations *verdicts;
} watching;

static uint64_t
text_hash (uint64_t hash, const char *text)
{
  for (; text && *text; text++)
    hash = omen_hash_mix (hash, (uint8_t)*text);
  return hash;
}

uint64_t
omen_violation_key (const char *property, const char *category,
                    const char *location)
{
  return text_hash (text_hash (text_hash (13, property) ^ 1, category) ^ 1,
                    location)
         >> 1;
}

static char *
binding_text (const watching *w, const omen_landing_report *report)
{
  char *text;
  size_t length;
  const char *comma = "";
  FILE *out = open_memstream (&text, &length);
  OMEN_REQUIRE (out);
  for (uint32_t i = 0; i < w->property->parameters; i++)
    if (report->bound >> i & 1) {
      fprintf (out, "%s%s=%s", comma, w->property->parameter[i],
               omen_observer_text (w->observer, report->values[i]));
      comma = ", ";
    }
  fclose (out);
  char *own = omen_strdup (text);
  free (text);
  return own;
}

static void
add_verdict (watching *w, uint32_t category, const omen_landing_report *report)
{
  const char *name = w->formula->category[category];
  const char *location = omen_trace_location (w->trace, w->event);
  omen_violation verdict
      = { omen_violation_key (w->property->name, name, location),
          omen_violated_text (w->property->name, name, location),
          binding_text (w, report) };
  OMEN_VEC_PUSH (*w->verdicts, verdict);
}

static bool
take_landing (void *self, const omen_landing_report *report)
{
  watching *w = self;
  uint32_t new = report->categories & ~w->landed;
  w->landed |= new;
  for (; new; new &= new - 1)
    add_verdict (w, (uint32_t)__builtin_ctz (new), report);
  return report->categories & w->formula->resets;
}

static void
watch (watching *all, omen_observer *observer)
{
  const omen_property *property = all->property;
  omen_watched values;
  omen_walk walk = { 0 };
  omen_watched_init (observer, &values);
  for (omen_eid e = 0; e < all->trace->events.count; e++) {
    omen_occurrence seen[OMEN_EVENTS_MAX];
    uint64_t dead[OMEN_DEAD_MAX];
    omen_watched_apply (observer, &values, e);
    uint32_t count = omen_observe_next (observer, &walk, e, &values, seen);
    uint32_t gone = omen_observe_dead (observer, e, dead);
    for (uint32_t f = 0; f < property->formulas; f++) {
      all[f].event = e;
      for (uint32_t i = 0; i < count; i++)
        OMEN_ASSERT (
            omen_slicer_event (all[f].slicer, &seen[i], take_landing, &all[f]));
      for (uint32_t i = 0; i < gone; i++)
        omen_slicer_dead (all[f].slicer, dead[i]);
    }
  }
  omen_watched_fini (&values);
}

static void
watch_property (const omen_trace *trace, const omen_property *property,
                omen_violations *verdicts)
{
  watching *all = omen_zalloc (property->formulas + 1u, sizeof *all);
  omen_observer *observer = omen_observer_new (trace, property);
  for (uint32_t f = 0; f < property->formulas; f++)
    all[f] = (watching){ .trace = trace,
                         .property = property,
                         .formula = &property->formula[f],
                         .observer = observer,
                         .slicer = omen_slicer_new (property, f, &omen_heap),
                         .verdicts = verdicts };
  if (property->formulas)
    watch (all, observer);
  for (uint32_t f = 0; f < property->formulas; f++)
    omen_slicer_free (all[f].slicer);
  omen_observer_free (observer);
  omen_free (all);
}

void
omen_violated (const omen_trace *trace, const omen_spec_list *specs,
               omen_violations *verdicts)
{
  for (size_t i = 0; i < specs->predict.count; i++)
    for (uint32_t p = 0; p < specs->predict.data[i].count; p++)
      watch_property (trace, &specs->predict.data[i].properties[p], verdicts);
}

void
omen_violations_fini (omen_violations *verdicts)
{
  for (size_t i = 0; i < verdicts->count; i++) {
    omen_free (verdicts->data[i].text);
    omen_free (verdicts->data[i].binding);
  }
  OMEN_VEC_FINI (*verdicts);
}
