/* The values of variables that state predicates use. */
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
  o->watched_places
      = omen_zalloc (o->watched.count + 1, sizeof *o->watched_places);
  for (uint32_t i = 0; i < o->watched.count; i++)
    o->watched_places[i] = omen_places_fitting (o, o->watched.data[i]);
}

void
omen_watched_forget (omen_observer *o)
{
  for (uint32_t i = 0; i < o->property->predicates; i++)
    OMEN_VEC_FINI (o->predicate_names[i]);
  omen_free (o->predicate_names);
  for (uint32_t i = 0; i < o->watched.count; i++)
    omen_free (o->watched_places[i]);
  omen_free (o->watched_places);
  OMEN_VEC_FINI (o->watched);
}

static bool
accesses (const omen_event *event)
{
  return omen_kind_class (event->kind) == OMEN_CLASS_ACCESS;
}

/* Does the access overlap the watched variable? */
static bool
is_about (const omen_observer *o, const omen_event *event, uint32_t i)
{
  return accesses (event)
         && o->watched_places[i][event->object] != OMEN_FITS_NOT;
}

bool
omen_writes_watched (const omen_observer *o, omen_eid e)
{
  const omen_event *event = omen_trace_event (o->trace, e);
  if (!o->watched.count || !accesses (event) || !omen_kind_writes (event->kind))
    return false;
  for (uint32_t i = 0; i < o->watched.count; i++)
    if (is_about (o, event, i))
      return true;
  return false;
}

bool
omen_watched_written (const omen_observer *o, omen_eid e)
{
  return omen_writes_watched (o, e);
}

const char *
omen_watched_name (const omen_observer *o, uint32_t i)
{
  return o->watched.data[i];
}

bool
omen_watched_exists (const omen_observer *o, uint32_t i)
{
  for (omen_pid p = 0; p < o->trace->places.count; p++)
    if (o->watched_places[i][p] != OMEN_FITS_NOT)
      return true;
  return false;
}

uint32_t
omen_watched_count (const omen_observer *o)
{
  return (uint32_t)o->watched.count;
}

/* The value of the watched variable after an access with that value. */
static omen_datum
value_at (omen_observer *o, uint32_t i, omen_pid place, uint8_t kind,
          uint64_t value)
{
  uint32_t fit = o->watched_places[i][place];
  const omen_place *at = &o->trace->places.data[place];
  if (!omen_part_is_there (o, fit, at))
    return omen_datum_of (o, OMEN_VALUE_NONE, 0);
  omen_part_value (o, fit, at, &kind, &value);
  if (kind == OMEN_VALUE_INT)
    value &= omen_part_unsigned (o, fit, at);
  return omen_datum_of (o, kind, value);
}

void
omen_watched_apply (omen_observer *o, omen_watched *w, omen_eid e)
{
  const omen_event *event = omen_trace_event (o->trace, e);
  uint8_t kind = event->value_kind;
  uint64_t value = event->value;
  if (!omen_writes_watched (o, e))
    return;
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &o->trace->rmws.data[event->value];
    kind = rmw->value_kind[1];
    value = rmw->value[1];
  }
  if (event->kind == OMEN_ALLOC || event->kind == OMEN_FREE
      || event->kind == OMEN_EXTERNAL)
    kind = OMEN_VALUE_NONE;
  for (uint32_t i = 0; i < o->watched.count; i++)
    if (is_about (o, event, i))
      w->values[i] = value_at (o, i, event->object, kind, value);
}

/* ---- initial values ---- */

static bool
init_covers (const omen_observer *o, const omen_init *init, uint32_t i)
{
  uint32_t fit = o->watched_places[i][init->place];
  return fit != OMEN_FITS_NOT
         && omen_part_is_there (o, fit, &o->trace->places.data[init->place]);
}

static omen_datum
first_read (omen_observer *o, uint32_t i)
{
  for (omen_eid e = 0; e < o->trace->events.count; e++) {
    const omen_event *event = omen_trace_event (o->trace, e);
    uint8_t kind = event->value_kind;
    uint64_t value = event->value;
    if (!is_about (o, event, i))
      continue;
    if (event->kind == OMEN_ATOMIC_RMW) {
      const omen_rmw *rmw = &o->trace->rmws.data[event->value];
      kind = rmw->value_kind[0];
      value = rmw->value[0];
    } else if (!omen_kind_reads (event->kind))
      break;
    return value_at (o, i, event->object, kind, value);
  }
  return (omen_datum){ OMEN_DATUM_UNKNOWN, 0 };
}

static omen_datum
initial_value (omen_observer *o, uint32_t i)
{
  const omen_init *init = NULL;
  for (size_t j = 0; j < o->trace->inits.count; j++)
    if (init_covers (o, &o->trace->inits.data[j], i))
      init = &o->trace->inits.data[j];
  return init ? value_at (o, i, init->place, init->value_kind, init->value)
              : first_read (o, i);
}

/* The value of the init line, else of the first access, if that is a read. */
void
omen_watched_init (const omen_observer *observer, omen_watched *w)
{
  omen_observer *o = (omen_observer *)observer; /* texts are added */
  w->values = omen_zalloc (o->watched.count + 1, sizeof *w->values);
  for (uint32_t i = 0; i < o->watched.count; i++)
    w->values[i] = initial_value (o, i);
}

void
omen_watched_fini (omen_watched *w)
{
  omen_free (w->values);
}

uint32_t
omen_watched_holds (const omen_observer *o, const omen_watched *w,
                    uint32_t *unknown)
{
  uint32_t bits = 0;
  *unknown = 0;
  for (uint32_t i = 0; i < o->property->predicates; i++) {
    const omen_condition *c = o->property->predicate[i];
    omen_datum *values = omen_zalloc (c->name_count + 1, sizeof *values), holds;
    for (uint32_t j = 0; j < c->name_count; j++)
      values[j] = w->values[o->predicate_names[i].data[j]];
    holds = omen_condition_value (c, values);
    *unknown |= holds.kind == OMEN_DATUM_UNKNOWN ? 1u << i : 0;
    bits |= holds.kind != OMEN_DATUM_UNKNOWN && holds.bits ? 1u << i : 0;
    omen_free (values);
  }
  return bits;
}
