#include "driver/replay/judge_property.h"
#include "driver/monitors.h"

#include <string.h>

typedef struct watching {
  omen_property_monitors monitors;
  const omen_claim *claim;
  bool landed; /* at the latest event */
} watching;

/* The binding is not compared, since addresses differ in the new run; the event
   is the claimed one. */
static bool
report_landing (void *self, const omen_landing_report *report)
{
  watching *w = self;
  const omen_formula *formula
      = &w->monitors.property->formula[w->monitors.formula];
  if (w->monitors.formula == w->claim->word)
    for (uint32_t c = 0; c < formula->categories; c++)
      if (report->categories >> c & 1
          && !strcmp (formula->category[c], w->claim->about->category))
        w->landed = true;
  return report->categories & formula->resets;
}

bool
omen_judge_monitor (const omen_trace *replayed, const omen_property *property,
                    const omen_claim *claim, omen_eid last,
                    bool (*known) (const void *context, omen_eid e),
                    const void *context)
{
  watching w = { .claim = claim };
  OMEN_REQUIRE (claim->about && claim->word < property->formulas);
  OMEN_REQUIRE (last < replayed->events.count);
  omen_monitors_init (&w.monitors, replayed, property);
  last = omen_observer_stands_for (w.monitors.observer, last);
  for (omen_eid e = 0; e <= last; e++) {
    omen_class class = omen_kind_class (omen_trace_event (replayed, e)->kind);
    if (class != OMEN_CLASS_ACCESS || known (context, e)
        || omen_observer_is_emitted (w.monitors.observer,
                                     e)) { /* its emits are known */
      w.landed = false;
      omen_monitors_event (&w.monitors, e, report_landing, &w);
    }
  }
  omen_monitors_fini (&w.monitors);
  return w.landed;
}
