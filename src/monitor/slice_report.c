/* Reports: instances that reached categories, if the property lets them
   report. */
#include "monitor/slices.h"

/* ---- connected: components of parameters ---- */

static uint32_t
part_of (uint64_t parts, uint32_t parameter)
{
  return parts >> 4 * parameter & 15;
}

/* Each parameter begins as its own component. */
void
omen_instance_unconnected (const omen_slicer *s, omen_instance *at)
{
  uint64_t parts = 0;
  if (!(s->property->modifiers & OMEN_CONNECTED))
    return;
  for (uint32_t p = 0; p < OMEN_PARAMETERS_MAX; p++)
    parts |= (uint64_t)p << 4 * p;
  *omen_instance_parts (s, at) = parts;
}

/* An event connects the parameters that it binds. */
static void
connect (uint64_t *parts, uint32_t binds)
{
  uint32_t first = binds ? part_of (*parts, __builtin_ctz (binds)) : 0;
  for (uint32_t rest = binds; rest; rest &= rest - 1) {
    uint32_t other = part_of (*parts, __builtin_ctz (rest));
    for (uint32_t p = 0; p < OMEN_PARAMETERS_MAX; p++)
      if (part_of (*parts, p) == other)
        *parts = (*parts & ~((uint64_t)15 << 4 * p)) | (uint64_t)first << 4 * p;
  }
}

static bool
is_connected (uint64_t parts, uint32_t set)
{
  uint32_t first = set ? part_of (parts, __builtin_ctz (set)) : 0;
  for (uint32_t rest = set; rest; rest &= rest - 1)
    if (part_of (parts, __builtin_ctz (rest)) != first)
      return false;
  return true;
}

/* ---- reports ---- */

static bool
may_report (const omen_slicer *s, omen_instance *at)
{
  unsigned modifiers = s->property->modifiers;
  if (modifiers & OMEN_FULL_BINDING
      && at->set != (1u << s->property->parameters) - 1)
    return false;
  return !(modifiers & OMEN_CONNECTED)
         || is_connected (*omen_instance_parts (s, at), at->set);
}

static void
values_of (const omen_slicer *s, omen_instance *at, uint64_t *values)
{
  const uint32_t *objects = omen_instance_objects (s, at);
  for (uint32_t rest = at->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    values[p] = omen_object_at (s, objects[p])->value;
  }
}

static void
report_verdict (omen_slicer *s, omen_instance *at, uint32_t verdict,
                omen_report_sink sink, void *self)
{
  uint64_t values[OMEN_PARAMETERS_MAX] = { 0 };
  omen_landing_report r = { verdict, at->set, values };
  OMEN_ASSERT (!at->gone);
  values_of (s, at, values);
  s->counts.reports++;
  if (sink (self, &r)) {
    s->engine->drop (&s->formula->machine, at->state, &s->memory);
    s->engine->start (&s->formula->machine, at->state);
  }
}

void
omen_instance_stepped (omen_slicer *s, omen_instance *at, uint32_t event,
                       uint32_t verdict, omen_report_sink sink, void *self)
{
  if (s->property->modifiers & OMEN_CONNECTED)
    connect (omen_instance_parts (s, at), s->plan.binds[event]);
  if (verdict && may_report (s, at))
    report_verdict (s, at, verdict, sink, self);
}

void
omen_slicer_each (const omen_slicer *s,
                  void (*see) (void *self, const omen_landing_report *instance),
                  void *self)
{
  for (uint32_t i = omen_pool_from (&s->instances, 0); i != OMEN_NONE;
       i = omen_pool_from (&s->instances, i + 1)) {
    omen_instance *at = omen_instance_at (s, i);
    uint64_t values[OMEN_PARAMETERS_MAX] = { 0 };
    omen_landing_report r = { 0, at->set, values };
    if (!at->listed || at->gone)
      continue;
    r.categories = s->engine->verdict (&s->formula->machine, at->state);
    values_of (s, at, values);
    see (self, &r);
  }
}
