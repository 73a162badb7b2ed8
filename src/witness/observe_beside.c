/* Emits that a woven program makes of its accesses stand beside them in their
   thread, with nothing but other emits and pieces of the access between (a
   struct is copied in several). On which side is the weaver's choice
   (weave/moment_access.c): behind a get, behind an atomic update and where
   state predicates look at the state after it, else as the pointcut says. */
#include "witness/observe_state.h"

#include <string.h>

/* Of one access, as far as they are looked for. */
enum { PIECES_MAX = 16 };

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

/* Does the access come first, and then its emit? */
static bool
is_told_behind (const omen_observer *o, const omen_cut *cut,
                const omen_event *access)
{
  return cut->after || access->kind == OMEN_ATOMIC_RMW
         || cut->kind == OMEN_CUT_GET || o->property->predicates;
}

/* Traces do not know types: an access to any object of the emit's line is one
   of the type, but not to another object than the emit says. */
static bool
is_of_type (const omen_observer *o, const omen_cut *cut,
            const omen_event *access, const omen_event *emit)
{
  const omen_emit *e = &o->trace->emits.data[emit->value];
  if (!omen_pattern_is_typed (cut->pattern)
      || access->location != emit->location)
    return false;
  for (uint32_t i = 0; cut->target && i < e->count; i++) {
    const omen_emit_arg *arg = &o->trace->emit_args.data[e->first + i];
    if (arg->value_kind == OMEN_VALUE_POINTER
        && !strcmp (omen_names_text (&o->trace->strings, arg->key),
                    cut->target))
      return arg->value >> 32 == o->trace->places.data[access->object].variable;
  }
  return true;
}

/* Is the event an access that emits like this one, on that side of it, are
   about? */
static bool
is_told_from (const omen_observer *o, const omen_event *event,
              const omen_event *emit, bool ahead)
{
  uint32_t told = emitted_by (o, emit);
  for (uint32_t i = o->first[told]; i < o->first[told + 1]; i++) {
    const omen_eye *eye = &o->eyes.data[i];
    if (takes_accesses (eye->cut)
        && omen_is_access_to (eye->cut->kind, event->kind)
        && (eye->places[event->object] != OMEN_FITS_NOT
            || is_of_type (o, eye->cut, event, emit))
        && is_told_behind (o, eye->cut, event) == !ahead)
      return true;
  }
  return false;
}

/* A walk through a thread away from one of its events, past emits and accesses
   of the same place in the program: pieces of one, maybe. */
typedef struct way {
  const omen_trace *trace;
  const omen_event *from;
  uint32_t at;
  bool forward;
  unsigned pieces; /* so many more, and one of any place if it comes first */
} way;

static way
way_from (const omen_observer *o, omen_eid e, bool forward)
{
  return (way){ o->trace, omen_trace_event (o->trace, e), o->trace->index[e],
                forward, PIECES_MAX };
}

/* The next event on it, or OMEN_NONE. */
static omen_eid
go_on (way *w)
{
  omen_tid t = w->from->thread;
  const omen_event *event;
  omen_eid e;
  bool same, first = w->pieces == PIECES_MAX;
  if (!w->pieces
      || (w->forward ? w->at + 1 == w->trace->threads.data[t].count : !w->at))
    return OMEN_NONE;
  w->at = w->forward ? w->at + 1 : w->at - 1;
  e = omen_trace_nth (w->trace, t, w->at);
  event = omen_trace_event (w->trace, e);
  if (event->kind == OMEN_EMIT)
    return e;
  same = event->location == w->from->location;
  w->pieces = same ? w->pieces - 1 : 0;
  return omen_kind_class (event->kind) == OMEN_CLASS_ACCESS && (same || first)
             ? e
             : OMEN_NONE;
}

/* The access that the emit is about, before or after it; or OMEN_NONE. */
static omen_eid
access_beside (const omen_observer *o, omen_eid emit, bool ahead)
{
  uint32_t told = emitted_by (o, omen_trace_event (o->trace, emit));
  way w = way_from (o, emit, ahead);
  for (omen_eid e; (e = go_on (&w)) != OMEN_NONE;) {
    const omen_event *event = omen_trace_event (o->trace, e);
    if (emitted_by (o, event) == told)
      break;
    if (event->kind != OMEN_EMIT && is_told_from (o, event, w.from, ahead))
      return e;
  }
  return OMEN_NONE;
}

/* Has an emit before the access told this event already? */
static bool
is_told_ahead (const omen_observer *o, omen_eid access, uint32_t told)
{
  way w = way_from (o, access, false);
  for (omen_eid e; (e = go_on (&w)) != OMEN_NONE;)
    if (emitted_by (o, omen_trace_event (o->trace, e)) == told)
      return access_beside (o, e, true) == access;
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

/* The emits on one side that tell of the access, from there on. */
static uint32_t
all_beside (const omen_observer *o, omen_eid access, bool forward,
            omen_eid emits[OMEN_EVENTS_MAX], uint32_t count)
{
  way w = way_from (o, access, forward);
  for (omen_eid e; (e = go_on (&w)) != OMEN_NONE;) {
    if (omen_trace_event (o->trace, e)->kind != OMEN_EMIT
        || omen_beside (o, e) != access)
      continue;
    OMEN_ASSERT (count < OMEN_EVENTS_MAX); /* each event just once */
    emits[count++] = e;
  }
  return count;
}

uint32_t
omen_beside_all (const omen_observer *o, omen_eid access,
                 omen_eid emits[OMEN_EVENTS_MAX])
{
  uint32_t count;
  if (!o->beside)
    return 0;
  count = all_beside (o, access, false, emits, 0);
  for (uint32_t i = 0; i < count / 2; i++) {
    omen_eid other = emits[i];
    emits[i] = emits[count - 1 - i];
    emits[count - 1 - i] = other;
  }
  return all_beside (o, access, true, emits, count);
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

bool
omen_observer_is_told (const omen_observer *o, omen_eid event)
{
  omen_eid emits[OMEN_EVENTS_MAX];
  return omen_beside_all (o, event, emits) > 0;
}

omen_eid
omen_observer_stands_for (const omen_observer *o, omen_eid event)
{
  omen_eid access = omen_beside (o, event);
  return access == OMEN_NONE ? event : access;
}
