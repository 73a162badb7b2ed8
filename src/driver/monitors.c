#include "driver/monitors.h"
#include "monitor/heap.h"

void
omen_monitors_init (omen_property_monitors *m, const omen_trace *trace,
                    const omen_property *property)
{
  *m = (omen_property_monitors){ .property = property,
                                 .observer
                                 = omen_observer_new (trace, property) };
  omen_watched_init (m->observer, &m->watched);
  m->slicers = omen_alloc ((property->formulas + 1u) * sizeof *m->slicers);
  for (uint32_t f = 0; f < property->formulas; f++)
    m->slicers[f] = omen_slicer_new (property, f, &omen_heap);
}

void
omen_monitors_fini (omen_property_monitors *m)
{
  for (uint32_t f = 0; f < m->property->formulas; f++)
    omen_slicer_free (m->slicers[f]);
  omen_free (m->slicers);
  omen_watched_fini (&m->watched);
  omen_observer_free (m->observer);
}

/* omen_alloc ends the process if memory runs out, so steps cannot fail. */
void
omen_monitors_event (omen_property_monitors *m, omen_eid e,
                     omen_report_sink report, void *self)
{
  omen_occurrence seen[OMEN_EVENTS_MAX];
  uint64_t dead[OMEN_DEAD_MAX];
  uint32_t count;
  m->event = e;
  omen_watched_apply (m->observer, &m->watched, e);
  count = omen_observe_next (m->observer, &m->walk, e, &m->watched, seen);
  for (uint32_t i = 0; i < count; i++)
    for (m->formula = 0; m->formula < m->property->formulas; m->formula++) {
      bool good
          = omen_slicer_event (m->slicers[m->formula], &seen[i], report, self);
      OMEN_ASSERT (good);
    }
  count = omen_observe_dead (m->observer, e, dead);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t f = 0; f < m->property->formulas; f++)
      omen_slicer_dead (m->slicers[f], dead[i]);
}
