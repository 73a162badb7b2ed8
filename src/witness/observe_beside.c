/* Emits that a woven program makes of its accesses stand beside them in their
   thread, with nothing but other emits between. On which side is the weaver's
   choice (weave/moment_access.c): behind a get, behind an atomic update and where
   state predicates look at the state after it, else as the pointcut says. */
#include "witness/observe_state.h"

static bool
takes_accesses (const omen_cut *cut)
{
  return omen_cut_takes (cut->kind) == OMEN_CUT_VARIABLE;
}

void
omen_beside_find (omen_observer *o)
{
  for (uint32_t e = 0; e < o->property->events; e++)
    for (uint32_t i = o->first[e]; o->served[e] && i < o->first[e + 1]; i++)
      o->beside |= takes_accesses (o->eyes.data[i].cut);
}

/* The property's event that this emits, or OMEN_NONE. */
static uint32_t
emitted_by (const omen_observer *o, const omen_event *event)
{
  return event->kind == OMEN_EMIT ? o->emitted[event->object] : OMEN_NONE;
}

/* The event on that side, emits aside; OMEN_NONE: none, or another emit of the
   same event comes first. */
static omen_eid
neighbour (const omen_observer *o, omen_eid emit, bool behind)
{
  const omen_trace *trace = o->trace;
  const omen_event *event = omen_trace_event (trace, emit), *other;
  omen_tid t = event->thread;
  uint32_t at = trace->index[emit];
  do {
    if (behind ? ++at == trace->threads.data[t].count : !at--)
      return OMEN_NONE;
    other = omen_trace_event (trace, omen_trace_nth (trace, t, at));
    if (emitted_by (o, other) == emitted_by (o, event))
      return OMEN_NONE;
  } while (other->kind == OMEN_EMIT);
  return omen_trace_nth (trace, t, at);
}

static bool
is_access_of (const omen_observer *o, const omen_eye *eye, omen_eid e)
{
  const omen_event *event;
  if (e == OMEN_NONE)
    return false;
  event = omen_trace_event (o->trace, e);
  return omen_is_access_to (eye->cut->kind, event->kind)
         && eye->places[event->object] != OMEN_FITS_NOT;
}

/* Does the access come first, and then its emit? */
static bool
is_told_behind (const omen_observer *o, const omen_cut *cut,
                const omen_event *access)
{
  return cut->after || access->kind == OMEN_ATOMIC_RMW
         || cut->kind == OMEN_CUT_GET || o->property->predicates;
}

/* The access on that side that the emit is about, or OMEN_NONE. */
static omen_eid
access_beside (const omen_observer *o, omen_eid emit, bool behind)
{
  uint32_t told = emitted_by (o, omen_trace_event (o->trace, emit));
  omen_eid e = neighbour (o, emit, behind);
  for (uint32_t i = o->first[told]; i < o->first[told + 1]; i++) {
    const omen_eye *eye = &o->eyes.data[i];
    if (takes_accesses (eye->cut) && is_access_of (o, eye, e)
        && is_told_behind (o, eye->cut, omen_trace_event (o->trace, e))
               == !behind)
      return e;
  }
  return OMEN_NONE;
}

/* Where the emits right before the event begin, in its thread. */
static uint32_t
first_around (const omen_trace *trace, omen_eid e)
{
  omen_tid t = omen_trace_event (trace, e)->thread;
  uint32_t at = trace->index[e];
  while (at
         && omen_trace_event (trace, omen_trace_nth (trace, t, at - 1))->kind
                == OMEN_EMIT)
    at--;
  return at;
}

/* Has an emit before the access told this event already? */
static bool
is_told_ahead (const omen_observer *o, omen_eid access, uint32_t told)
{
  omen_tid t = omen_trace_event (o->trace, access)->thread;
  for (uint32_t at = first_around (o->trace, access);
       at < o->trace->index[access]; at++) {
    omen_eid emit = omen_trace_nth (o->trace, t, at);
    if (emitted_by (o, omen_trace_event (o->trace, emit)) == told
        && access_beside (o, emit, true) == access)
      return true;
  }
  return false;
}

omen_eid
omen_beside (const omen_observer *o, omen_eid emit)
{
  uint32_t told = emitted_by (o, omen_trace_event (o->trace, emit));
  omen_eid access;
  if (told == OMEN_NONE || !o->beside)
    return OMEN_NONE;
  access = access_beside (o, emit, false);
  if (access != OMEN_NONE && !is_told_ahead (o, access, told))
    return access;
  return access_beside (o, emit, true);
}

uint32_t
omen_beside_all (const omen_observer *o, omen_eid access,
                 omen_eid emits[OMEN_EVENTS_MAX])
{
  const omen_trace *trace = o->trace;
  omen_tid t = omen_trace_event (trace, access)->thread;
  uint32_t count = 0, own = trace->index[access];
  if (!o->beside)
    return 0;
  for (uint32_t at = first_around (trace, access);
       at < trace->threads.data[t].count; at++) {
    omen_eid e = omen_trace_nth (trace, t, at);
    if (at != own && omen_trace_event (trace, e)->kind != OMEN_EMIT)
      break;
    if (at == own || omen_beside (o, e) != access)
      continue;
    OMEN_ASSERT (count < OMEN_EVENTS_MAX); /* each event just once */
    emits[count++] = e;
  }
  return count;
}

uint32_t
omen_observer_told (const omen_observer *o, omen_eid event)
{
  omen_eid emits[OMEN_EVENTS_MAX];
  uint32_t count = omen_beside_all (o, event, emits);
  uint32_t own = o->trace->index[event], last;
  last = count ? o->trace->index[emits[count - 1]] : own;
  return last > own ? last - own : 0;
}
