/* The values of variables that state predicates speak of. */
#include "witness/observe_state.h"

#include <string.h>

static uint32_t
watch (omen_observer *o, const char *name)
{
  for (uint32_t i = 0; i < o->watched.count; i++)
    if (!strcmp (o->watched.data[i], name))
      return i;
  OMEN_VEC_PUSH (o->watched, name);
  return (uint32_t)o->watched.count - 1;
}

void
omen_watched_find (omen_observer *o)
{
  const omen_property *p = o->property;
  o->predicate_names
      = omen_zalloc (p->predicates + 1, sizeof *o->predicate_names);
  for (uint32_t i = 0; i < p->predicates; i++)
    for (uint32_t j = 0; j < p->predicate[i]->name_count; j++)
      OMEN_VEC_PUSH (o->predicate_names[i],
                     watch (o, p->predicate[i]->names[j]));
}

void
omen_watched_forget (omen_observer *o)
{
  for (uint32_t i = 0; i < o->property->predicates; i++)
    OMEN_VEC_FINI (o->predicate_names[i]);
  omen_free (o->predicate_names);
  OMEN_VEC_FINI (o->watched);
}

/* The watched variable that the place is, or is a part of; *whole: from its
   first byte on. */
static uint32_t
watched_at (const omen_observer *o, omen_pid place, bool *whole)
{
  const omen_place *at = &o->trace->places.data[place];
  const char *name = omen_trace_variable_name (o->trace, at->variable);
  *whole = !at->offset;
  for (uint32_t i = 0; i < o->watched.count; i++)
    if (!strcmp (o->watched.data[i], name))
      return i;
  return OMEN_NONE;
}

static bool
accesses (const omen_event *event)
{
  return omen_kind_class (event->kind) == OMEN_CLASS_ACCESS;
}

bool
omen_writes_watched (const omen_observer *o, omen_eid e)
{
  const omen_event *event = omen_trace_event (o->trace, e);
  bool whole;
  return o->watched.count && accesses (event) && omen_kind_writes (event->kind)
         && watched_at (o, event->object, &whole) != OMEN_NONE;
}

bool
omen_watched_written (const omen_observer *o, omen_eid e)
{
  return omen_writes_watched (o, e);
}

uint32_t
omen_watched_count (const omen_observer *o)
{
  return (uint32_t)o->watched.count;
}

static omen_datum
value_at (omen_observer *o, omen_pid place, uint8_t kind, uint64_t value)
{
  omen_signed_value (&o->trace->places.data[place], &kind, &value);
  return omen_datum_of (o, kind, value);
}

void
omen_watched_apply (omen_observer *o, omen_watched *w, omen_eid e)
{
  const omen_event *event = omen_trace_event (o->trace, e);
  uint8_t kind = event->value_kind;
  uint64_t value = event->value;
  uint32_t i;
  bool whole;
  if (!omen_writes_watched (o, e))
    return;
  i = watched_at (o, event->object, &whole);
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &o->trace->rmws.data[event->value];
    kind = rmw->value_kind[1];
    value = rmw->value[1];
  }
  if (!whole || event->kind == OMEN_ALLOC || event->kind == OMEN_FREE
      || event->kind == OMEN_EXTERNAL)
    kind = OMEN_VALUE_NONE;
  w->values[i] = value_at (o, event->object, kind, value);
}

/* What `init` says, else what is read before anything is written. */
void
omen_watched_init (const omen_observer *observer, omen_watched *w)
{
  omen_observer *o = (omen_observer *)observer; /* texts are added */
  uint8_t *known = omen_zalloc (o->watched.count + 1, 1);
  uint32_t i;
  bool whole;
  w->values = omen_zalloc (o->watched.count + 1, sizeof *w->values);
  for (size_t j = 0; o->watched.count && j < o->trace->inits.count; j++) {
    const omen_init *init = &o->trace->inits.data[j];
    i = watched_at (o, init->place, &whole);
    if (i == OMEN_NONE || !whole)
      continue;
    w->values[i] = value_at (o, init->place, init->value_kind, init->value);
    known[i] = 1;
  }
  for (omen_eid e = 0; o->watched.count && e < o->trace->events.count; e++) {
    const omen_event *event = omen_trace_event (o->trace, e);
    i = accesses (event) ? watched_at (o, event->object, &whole) : OMEN_NONE;
    if (i == OMEN_NONE || known[i])
      continue;
    known[i] = 1;
    if (whole && event->kind != OMEN_ATOMIC_RMW
        && omen_kind_reads (event->kind))
      w->values[i]
          = value_at (o, event->object, event->value_kind, event->value);
    else if (whole && event->kind == OMEN_ATOMIC_RMW) {
      const omen_rmw *rmw = &o->trace->rmws.data[event->value];
      w->values[i] = value_at (o, event->object, rmw->value_kind[0],
                               rmw->value[0]);
    }
  }
  omen_free (known);
}

void
omen_watched_fini (omen_watched *w)
{
  omen_free (w->values);
}

uint32_t
omen_watched_holds (const omen_observer *o, const omen_watched *w)
{
  uint32_t bits = 0;
  for (uint32_t i = 0; i < o->property->predicates; i++) {
    const omen_condition *c = o->property->predicate[i];
    omen_datum *values
        = omen_zalloc (c->name_count + 1, sizeof *values);
    for (uint32_t j = 0; j < c->name_count; j++)
      values[j] = w->values[o->predicate_names[i].data[j]];
    bits |= omen_condition_holds (c, values) ? 1u << i : 0;
    omen_free (values);
  }
  return bits;
}
