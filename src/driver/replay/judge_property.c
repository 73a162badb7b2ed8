#include "driver/replay/judge_property.h"
#include "monitor/heap.h"
#include "monitor/slicer.h"
#include "witness/observe.h"

#include <string.h>

typedef struct watching {
  const omen_formula *formula;
  const char *category;
  bool landed; /* at the latest event */
} watching;

/* The binding is not compared, since addresses differ in the new run; the event
   is the claimed one. */
static bool
report_landing (void *self, const omen_landing_report *report)
{
  watching *w = self;
  for (uint32_t c = 0; c < w->formula->categories; c++)
    if (report->categories >> c & 1
        && !strcmp (w->formula->category[c], w->category))
      w->landed = true;
  return report->categories & w->formula->resets;
}

bool
omen_judge_monitor (const omen_trace *replayed, const omen_property *property,
                    const omen_claim *claim, omen_eid last,
                    bool (*known) (const void *context, omen_eid e),
                    const void *context)
{
  watching w
      = { &property->formula[claim->word], claim->about->category, false };
  omen_observer *observer = omen_observer_new (replayed, property);
  omen_slicer *slicer = omen_slicer_new (property, claim->word, &omen_heap);
  omen_watched values;
  omen_walk walk = { 0 };
  OMEN_REQUIRE (claim->about && claim->word < property->formulas);
  OMEN_REQUIRE (last < replayed->events.count);
  omen_watched_init (observer, &values);
  last = omen_observer_stands_for (observer, last);
  for (omen_eid e = 0; e <= last; e++) {
    omen_class class = omen_kind_class (omen_trace_event (replayed, e)->kind);
    if (class != OMEN_CLASS_ACCESS || known (context, e)
        || omen_observer_is_told (observer, e)) { /* its emits are known */
      omen_occurrence seen[OMEN_EVENTS_MAX];
      uint64_t dead[OMEN_DEAD_MAX];
      uint32_t count;
      w.landed = false;
      omen_watched_apply (observer, &values, e);
      count = omen_observe_next (observer, &walk, e, &values, seen);
      for (uint32_t i = 0; i < count; i++)
        OMEN_ASSERT (omen_slicer_event (slicer, &seen[i], report_landing, &w));
      count = omen_observe_dead (observer, e, dead);
      for (uint32_t i = 0; i < count; i++)
        omen_slicer_dead (slicer, dead[i]);
    }
  }
  omen_watched_fini (&values);
  omen_slicer_free (slicer);
  omen_observer_free (observer);
  return w.landed;
}
