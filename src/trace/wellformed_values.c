/* Well-formedness: what reads see, blocks of memory, dependences. */
#include "trace/wellformed_check.h"

void
omen_check_initial (omen_wellformed_check *check)
{
  const omen_trace *trace = check->trace;
  for (uint32_t a = 0; a < check->atoms.count; a++)
    check->contents[a] = (omen_check_atom){
      { 0, 0, 0, OMEN_CLASS_NOTHING }, OMEN_NONE, false, false
    };
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    const omen_place *place = &trace->places.data[init->place];
    omen_span span = check->atoms.place[init->place];
    for (uint32_t a = span.first; a < span.first + span.count; a++)
      check->contents[a].value = omen_atom_value_of (
          place, &check->atoms.atoms[a], init->value_kind, init->value);
  }
}

static bool
misread (omen_wellformed_check *check, omen_eid e,
         const omen_check_atom *content)
{
  char buffer[OMEN_CHECK_EVENT_MAX];
  if (content->origin == OMEN_NONE)
    return omen_check_fail (check, e,
                            "reads another value than the initial one");
  omen_check_describe (check->trace, content->origin, buffer);
  return omen_check_fail (check, e, "reads another value than %s %s", buffer,
                          content->written ? "wrote" : "read before any write");
}

bool
omen_check_read (omen_wellformed_check *check, omen_eid e, unsigned value_kind,
                 uint64_t value)
{
  omen_pid p = check->trace->events.data[e].object;
  const omen_place *place = &check->trace->places.data[p];
  omen_span span = check->atoms.place[p];
  for (uint32_t a = span.first; a < span.first + span.count; a++) {
    omen_check_atom *content = &check->contents[a];
    omen_atom_value v
        = omen_atom_value_of (place, &check->atoms.atoms[a], value_kind, value);
    content->touched = true;
    if (omen_atom_value_comparable (&v, &content->value)) {
      if (OMEN_UNLIKELY (!omen_atom_value_equal (&v, &content->value)))
        return misread (check, e, content);
    } else if (!content->written
               && content->value.class == OMEN_CLASS_NOTHING) {
      content->value = v;
      content->origin = e;
    }
  }
  return true;
}

void
omen_check_write (omen_wellformed_check *check, omen_eid e, unsigned value_kind,
                  uint64_t value)
{
  omen_pid p = check->trace->events.data[e].object;
  const omen_place *place = &check->trace->places.data[p];
  omen_span span = check->atoms.place[p];
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    check->contents[a]
        = (omen_check_atom){ omen_atom_value_of (place, &check->atoms.atoms[a],
                                                 value_kind, value),
                             e, true, true };
}

/* Fails only for traces that do not come from text, where alloc of a name in
   use starts a new block. */
bool
omen_check_alloc (omen_wellformed_check *check, omen_eid e)
{
  omen_span span = check->atoms.place[check->trace->events.data[e].object];
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    if (check->contents[a].touched)
      return omen_check_fail (check, e, "alloc of a block that is in use");
  omen_check_write (check, e, OMEN_VALUE_NONE, 0);
  return true;
}

/* ---- dependences ---- */

static const omen_extra *
extra_of (omen_wellformed_check *check, omen_eid e)
{
  size_t i = check->extra;
  if (i < check->trace->extras.count
      && check->trace->extras.data[i].event == e) {
    check->extra++;
    return &check->trace->extras.data[i];
  }
  return omen_trace_extra (check->trace, e);
}

/* Event number i of the thread of e if it precedes e, else NULL. */
static const omen_event *
earlier (const omen_trace *trace, omen_eid e, uint32_t i)
{
  if (i >= trace->index[e])
    return NULL;
  return &trace->events
              .data[omen_trace_nth (trace, trace->events.data[e].thread, i)];
}

bool
omen_check_depends (omen_wellformed_check *check, omen_eid e)
{
  const omen_trace *trace = check->trace;
  const omen_extra *extra = extra_of (check, e);
  const omen_event *on;
  if (!extra)
    return true;
  for (uint32_t k = 0; k < extra->reads; k++) {
    uint32_t i = trace->dependences.data[extra->first_read + k];
    on = earlier (trace, e, i);
    if (!on || !omen_kind_reads (on->kind))
      return omen_check_fail (
          check, e, "depends on %u, which is no earlier read of its thread", i);
  }
  if (extra->branch == OMEN_NONE)
    return true;
  on = earlier (trace, e, extra->branch);
  if (!on || on->kind != OMEN_BRANCH)
    return omen_check_fail (
        check, e,
        "is controlled by %u, which is no earlier branch of its thread",
        extra->branch);
  return true;
}
