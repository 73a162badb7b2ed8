#include "trace/private.h"
#include "trace/atoms.h"

#define SHARED (OMEN_NONE - 1)

typedef struct privacy {
  omen_trace *trace;
  omen_atoms atoms;
  uint32_t *user;  /* by place: thread, SHARED, or OMEN_NONE */
  bool *reaches;   /* by place: some event other than alloc, free, ext */
  uint32_t *owner; /* by atom, likewise */
  bool *kept;      /* by place */
  bool *idle;      /* by event: an hb or ha that orders nobody */
} privacy;

static uint32_t
both (uint32_t a, uint32_t b)
{
  return a == OMEN_NONE ? b : b == OMEN_NONE || a == b ? a : SHARED;
}

static bool
is_access (const omen_event *event)
{
  return omen_kind_class (event->kind) == OMEN_CLASS_ACCESS;
}

static void
find_users (privacy *p)
{
  for (size_t e = 0; e < p->trace->events.count; e++) {
    const omen_event *event = &p->trace->events.data[e];
    if (!is_access (event))
      continue;
    p->user[event->object] = both (p->user[event->object], event->thread);
    if (event->kind < OMEN_ALLOC)
      p->reaches[event->object] = true;
  }
}

/* A lock that was destroyed while it was held is told by free(l). */
static bool
is_lock (const omen_trace *trace, const omen_place *place)
{
  const omen_name *name
      = &trace->names[OMEN_OPERAND_VARIABLE].names[place->variable];
  return place->size == OMEN_WHOLE
         && omen_names_find (&trace->names[OMEN_OPERAND_LOCK], name->text,
                             name->length)
                != OMEN_NONE;
}

static void
find_owners (privacy *p)
{
  for (uint32_t a = 0; a < p->atoms.count; a++)
    p->owner[a] = OMEN_NONE;
  for (omen_pid place = 0; place < p->trace->places.count; place++) {
    omen_span span = p->atoms.place[place];
    uint32_t user = is_lock (p->trace, &p->trace->places.data[place])
                        ? SHARED
                        : p->user[place];
    for (uint32_t a = span.first; a < span.first + span.count; a++)
      p->owner[a] = both (p->owner[a], user);
  }
}

static bool
has_shared (const privacy *p, omen_pid place)
{
  omen_span span = p->atoms.place[place];
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    if (p->owner[a] == SHARED)
      return true;
  return false;
}

/* A place that stays makes all its atoms stay, if values go through it. */
static bool
spread (privacy *p)
{
  bool changed = false;
  for (omen_pid place = 0; place < p->trace->places.count; place++) {
    omen_span span = p->atoms.place[place];
    if (p->kept[place] || !has_shared (p, place))
      continue;
    p->kept[place] = changed = true;
    for (uint32_t a = span.first;
         p->reaches[place] && a < span.first + span.count; a++)
      p->owner[a] = SHARED;
  }
  return changed;
}

/* One way through the trace: the event of a kind concerns nobody if no other
   thread has had the opposite with the same object. */
static void
find_idle (privacy *p, omen_kind kind, omen_kind opposite, bool backwards)
{
  const omen_trace *trace = p->trace;
  size_t count = trace->events.count;
  uint32_t objects = trace->names[OMEN_OPERAND_OBJECT].count;
  uint32_t *who = omen_alloc (objects * sizeof *who);
  for (uint32_t o = 0; o < objects; o++)
    who[o] = OMEN_NONE;
  for (size_t i = 0; i < count; i++) {
    size_t e = backwards ? count - 1 - i : i;
    const omen_event *event = &trace->events.data[e];
    if (event->kind == opposite)
      who[event->object] = both (who[event->object], event->thread);
    else if (event->kind == kind)
      p->idle[e] = who[event->object] == OMEN_NONE
                   || who[event->object] == event->thread;
  }
  omen_free (who);
}

static uint64_t
remove_events (privacy *p, omen_ids *moved)
{
  omen_trace *trace = p->trace;
  size_t left = 0, count = trace->events.count;
  uint64_t accesses = 0;
  bool items = trace->items.count;
  for (size_t e = 0; e < count; e++) {
    omen_event event = trace->events.data[e];
    bool goes = is_access (&event) ? !p->kept[event.object] : p->idle[e];
    if (moved)
      OMEN_VEC_PUSH (*moved, goes ? OMEN_NONE : (uint32_t)left);
    accesses += goes && is_access (&event);
    if (goes)
      continue;
    if (items)
      trace->items.data[left] = trace->items.data[e];
    trace->events.data[left++] = event;
  }
  OMEN_ASSERT (left <= count && (!moved || moved->count == count));
  trace->events.count = left;
  if (items)
    trace->items.count = left;
  return accesses;
}

static void
remove_inits (privacy *p)
{
  omen_trace *trace = p->trace;
  size_t left = 0;
  for (size_t i = 0; i < trace->inits.count; i++)
    if (p->kept[trace->inits.data[i].place])
      trace->inits.data[left++] = trace->inits.data[i];
  trace->inits.count = left;
}

uint64_t
omen_trace_drop_private (omen_trace *trace, const omen_ids *stays,
                         omen_ids *moved)
{
  privacy p = { .trace = trace };
  size_t places = trace->places.count;
  uint64_t removed;
  OMEN_REQUIRE (!trace->index && !trace->extras.count);
  OMEN_REQUIRE (!trace->items.count
                || trace->items.count == trace->events.count);
  omen_atoms_init (&p.atoms, trace);
  p.user = omen_alloc (places * sizeof *p.user);
  for (size_t i = 0; i < places; i++)
    p.user[i] = OMEN_NONE;
  p.reaches = omen_zalloc (places, sizeof *p.reaches);
  p.kept = omen_zalloc (places, sizeof *p.kept);
  p.owner = omen_alloc (p.atoms.count * sizeof *p.owner);
  find_users (&p);
  for (size_t i = 0; i < stays->count; i++)
    OMEN_REQUIRE (stays->data[i] < places);
  for (size_t i = 0; i < stays->count; i++)
    p.user[stays->data[i]] = SHARED;
  find_owners (&p);
  while (spread (&p))
    continue;
  p.idle = omen_zalloc (trace->events.count, sizeof *p.idle);
  find_idle (&p, OMEN_HAPPENS_AFTER, OMEN_HAPPENS_BEFORE, false);
  find_idle (&p, OMEN_HAPPENS_BEFORE, OMEN_HAPPENS_AFTER, true);
  removed = remove_events (&p, moved);
  remove_inits (&p);
  omen_free (p.user);
  omen_free (p.reaches);
  omen_free (p.kept);
  omen_free (p.idle);
  omen_free (p.owner);
  omen_atoms_fini (&p.atoms);
  return removed;
}
