#include "driver/explore/violated.h"
#include "driver/check/checked.h"
#include "driver/monitors.h"
#include "explore/history.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct watching {
  const omen_trace *trace;
  omen_property_monitors monitors;
  uint32_t *landed; /* by formula: categories, ever */
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
binding_text (const omen_property_monitors *m,
              const omen_landing_report *report)
{
  char *text;
  size_t length;
  const char *comma = "";
  FILE *out = open_memstream (&text, &length);
  OMEN_REQUIRE (out);
  for (uint32_t i = 0; i < m->property->parameters; i++)
    if (report->bound >> i & 1) {
      fprintf (out, "%s%s=%s", comma, m->property->parameter[i],
               omen_observer_text (m->observer, report->values[i]));
      comma = ", ";
    }
  fclose (out);
  char *own = omen_strdup (text);
  free (text);
  return own;
}

static bool
take_landing (void *self, const omen_landing_report *report)
{
  watching *w = self;
  const omen_property *property = w->monitors.property;
  const omen_formula *formula = &property->formula[w->monitors.formula];
  uint32_t *landed = &w->landed[w->monitors.formula];
  uint32_t new = report->categories & ~*landed;
  *landed |= new;
  for (; new; new &= new - 1) {
    const char *name = formula->category[__builtin_ctz (new)];
    const char *location = omen_trace_location (w->trace, w->monitors.event);
    omen_violation verdict
        = { omen_violation_key (property->name, name, location),
            omen_violated_text (property->name, name, location),
            binding_text (&w->monitors, report) };
    OMEN_VEC_PUSH (*w->verdicts, verdict);
  }
  return report->categories & formula->resets;
}

static void
watch_property (const omen_trace *trace, const omen_property *property,
                omen_violations *verdicts)
{
  watching w = { .trace = trace, .verdicts = verdicts };
  omen_monitors_init (&w.monitors, trace, property);
  w.landed = omen_zalloc (property->formulas + 1u, sizeof *w.landed);
  for (omen_eid e = 0; e < trace->events.count; e++)
    omen_monitors_event (&w.monitors, e, take_landing, &w);
  omen_free (w.landed);
  omen_monitors_fini (&w.monitors);
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
