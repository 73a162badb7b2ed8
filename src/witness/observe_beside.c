/* Emits by which a woven program reports its accesses are next to them in their
   thread, with only other emits and pieces of the access between (a struct is
   copied in several). The weaver chooses the side (weave/moment_access.c):
   after a get, after an atomic update and where state predicates need the state
   after it, else as the pointcut says. */
#include "witness/observe_state.h"

#include <string.h>

/* Most pieces of one access that are searched. */
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
      o->beside |= takes_accesses (o->entries.data[i].cut);
}

/* The property's event that this emits, or OMEN_NONE. */
static uint32_t
emitted_by (const omen_observer *o, const omen_event *event)
{
  return event->kind == OMEN_EMIT ? o->emitted[event->object] : OMEN_NONE;
}

/* Does the access come first, and then its emit? */
static bool
is_emitted_after (const omen_observer *o, const omen_cut *cut,
                  const omen_event *access)
{
  return cut->after || access->kind == OMEN_ATOMIC_RMW
         || cut->kind == OMEN_CUT_GET || o->property->predicates;
}

/* Traces have no types: any access at the emit's source line is taken to be one
   of the type, unless the emit names another object. */
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

/* Is the event an access that this emit may report? `ahead`: the emit comes
   first. */
static bool
may_report (const omen_observer *o, const omen_event *event,
            const omen_event *emit, bool ahead)
{
  uint32_t reported = emitted_by (o, emit);
  for (uint32_t i = o->first[reported]; i < o->first[reported + 1]; i++) {
    const omen_observer_cut *entry = &o->entries.data[i];
    if (takes_accesses (entry->cut)
        && omen_is_access_to (entry->cut->kind, event->kind)
        && (entry->places[event->object] != OMEN_FITS_NOT
            || is_of_type (o, entry->cut, event, emit))
        && is_emitted_after (o, entry->cut, event) == !ahead)
      return true;
  }
  return false;
}

/* A walk through a thread from one of its events, over emits and accesses at
   the same source line, which may be pieces of one access. */
typedef struct way {
  const omen_trace *trace;
  const omen_event *from;
  uint32_t at;
  bool forward;
  unsigned pieces; /* how many more; the first may be at any line */
} way;

static way
way_from (const omen_observer *o, omen_eid e, bool forward)
{
  return (way){ o->trace, omen_trace_event (o->trace, e), o->trace->index[e],
                forward, PIECES_MAX };
}

/* The next event of the walk, or OMEN_NONE. */
static omen_eid
next_on_way (way *w)
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

/* The access that the emit reports, before or after it; or OMEN_NONE. */
static omen_eid
access_beside (const omen_observer *o, omen_eid emit, bool ahead)
{
  uint32_t reported = emitted_by (o, omen_trace_event (o->trace, emit));
  way w = way_from (o, emit, ahead);
  for (omen_eid e; (e = next_on_way (&w)) != OMEN_NONE;) {
    const omen_event *event = omen_trace_event (o->trace, e);
    if (emitted_by (o, event) == reported)
      break;
    if (event->kind != OMEN_EMIT && may_report (o, event, w.from, ahead))
      return e;
  }
  return OMEN_NONE;
}

/* Has an emit before the access reported this event already? */
static bool
is_reported_before (const omen_observer *o, omen_eid access, uint32_t reported)
{
  way w = way_from (o, access, false);
  for (omen_eid e; (e = next_on_way (&w)) != OMEN_NONE;)
    if (emitted_by (o, omen_trace_event (o->trace, e)) == reported)
      return access_beside (o, e, true) == access;
  return false;
}

omen_eid
omen_beside (const omen_observer *o, omen_eid emit)
{
  uint32_t reported = emitted_by (o, omen_trace_event (o->trace, emit));
  omen_eid access;
  if (reported == OMEN_NONE || !o->beside)
    return OMEN_NONE;
  access = access_beside (o, emit, false);
  if (access != OMEN_NONE && !is_reported_before (o, access, reported))
    return access;
  return access_beside (o, emit, true);
}

/* Append the emits on one side that report the access, nearest first. */
static uint32_t
all_beside (const omen_observer *o, omen_eid access, bool forward,
            omen_eid emits[OMEN_EVENTS_MAX], uint32_t count)
{
  way w = way_from (o, access, forward);
  for (omen_eid e; (e = next_on_way (&w)) != OMEN_NONE;) {
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
omen_observer_emit_distance (const omen_observer *o, omen_eid event)
{
  omen_eid emits[OMEN_EVENTS_MAX];
  uint32_t count = omen_beside_all (o, event, emits);
  uint32_t own = o->trace->index[event], last;
  last = count ? o->trace->index[emits[count - 1]] : own;
  return last > own ? last - own : 0;
}

bool
omen_observer_is_emitted (const omen_observer *o, omen_eid event)
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
