/* Any bytes as a property file: refused with a place and a reason, or compiled
   to machines that are valid, can be drawn, and run over some events. */
#include "fuzz.h"
#include "monitor/heap.h"

#include "monitor/slicer.h"
#include "spec/compile.h"
#include "spec/draw.h"

#include <stdio.h>
#include <stdlib.h>

static bool
reset (void *self, const omen_landing_report *report)
{
  const omen_formula *f = self;
  OMEN_ASSERT (report->categories);
  return report->categories & f->resets;
}

static void
run (const omen_property *p, uint32_t formula)
{
  omen_slicer *s = omen_slicer_new (p, formula, &omen_heap);
  for (uint32_t i = 0; i < 24; i++) {
    omen_occurrence o = { .event = i * 7 % p->events,
                          .predicates = i % (1u << p->predicates),
                          .thread = i % 3 };
    for (uint32_t j = 0; j < p->parameters; j++)
      o.values[j] = (i + j) % 2;
    OMEN_ASSERT (
        omen_slicer_event (s, &o, reset, (void *)&p->formula[formula]));
    if (i == 18)
      omen_slicer_dead (s, 1);
  }
  omen_slicer_free (s);
}

static void
draw (const omen_spec *spec)
{
  omen_err err = { 0 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  OMEN_ASSERT (out && omen_spec_draw (spec, out, &err) == !err.set);
  fclose (out);
  free (text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_spec *spec = omen_spec_parse ("fuzz", (const char *)data, size, &err);
  omen_compiled *c = spec ? omen_spec_compile (spec, &err) : NULL;
  OMEN_ASSERT (c ? !err.set : err.set && err.where[0] && err.what[0]);
  for (uint32_t i = 0; c && i < c->count; i++)
    for (uint32_t f = 0; f < c->properties[i].formulas; f++)
      run (&c->properties[i], f);
  if (c)
    draw (spec);
  omen_compiled_free (c);
  omen_spec_free (spec);
  return 0;
}
