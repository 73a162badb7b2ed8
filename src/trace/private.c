#include "trace/private.h"
#include "base/map.h"
#include "trace/atoms.h"

#include <string.h>

#define SHARED (OMEN_NONE - 1)

typedef struct privacy {
  omen_trace *trace;
  omen_atoms atoms;
  uint32_t *user;  /* by place: thread, SHARED, or OMEN_NONE */
  bool *reaches;   /* by place: an access other than alloc, free, ext exists */
  uint32_t *owner; /* by atom, likewise */
  bool *kept;      /* by place */
  bool *idle; /* by event: an hb or ha that orders no threads, a use that is not
                 needed, the ENTER or EXIT of a function without other events */
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
    if (!is_access (event) || p->idle[e])
      continue;
    p->user[event->object] = both (p->user[event->object], event->thread);
    if (event->kind < OMEN_ALLOC)
      p->reaches[event->object] = true;
  }
}

static void
find_owners (privacy *p)
{
  for (uint32_t a = 0; a < p->atoms.count; a++)
    p->owner[a] = OMEN_NONE;
  for (omen_pid place = 0; place < p->trace->places.count; place++) {
    omen_span span = p->atoms.place[place];
    for (uint32_t a = span.first; a < span.first + span.count; a++)
      p->owner[a] = both (p->owner[a], p->user[place]);
  }
}

/* ---- uses of objects ---- */

/* By place: the thread that uses it, and whether it is written. (alloc and ext
   conflict with nothing.) */
static void
find_conflicts (privacy *p, bool *written)
{
  const omen_trace *trace = p->trace;
  for (size_t e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    if (!is_access (event) || event->kind == OMEN_ALLOC
        || event->kind == OMEN_EXTERNAL)
      continue;
    p->user[event->object] = both (p->user[event->object], event->thread);
    written[event->object] |= omen_kind_writes (event->kind);
  }
}

/* By atom: does one thread write it and another one use it? */
static void
find_disputed (privacy *p, const bool *written, bool *disputed)
{
  find_owners (p);
  for (omen_pid place = 0; place < p->trace->places.count; place++) {
    omen_span span = p->atoms.place[place];
    for (uint32_t a = span.first; written[place] && a < span.first + span.count;
         a++)
      disputed[a] = p->owner[a] == SHARED;
  }
}

/* Consecutive uses of an object by one thread, without a write between. */
typedef struct stretch {
  uint32_t atom, writes; /* of the atom, before it */
  omen_eid last; /* the latest use; OMEN_NONE if there is only the first */
} stretch;

typedef struct thinning {
  privacy *p;
  const bool *used; /* by atom */
  uint32_t *writes; /* by atom: so far */
  omen_map of;      /* (place, thread) -> stretch */
  OMEN_VEC (stretch) stretches;
} thinning;

static void
count_write (thinning *t, omen_pid place)
{
  omen_span span = t->p->atoms.place[place];
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    t->writes[a] += t->used[a];
}

/* The last use of a stretch is kept if a write follows. */
static void
thin_use (thinning *t, omen_eid e)
{
  const omen_event *event = &t->p->trace->events.data[e];
  uint32_t atom = t->p->atoms.place[event->object].first;
  uint32_t *at = omen_map_at (&t->of, OMEN_PAIR (event->object, event->thread));
  stretch new = { atom, t->writes[atom], OMEN_NONE };
  if (*at == OMEN_NONE) {
    *at = (uint32_t)t->stretches.count;
    OMEN_VEC_PUSH (t->stretches, new);
    return;
  }
  stretch *s = &t->stretches.data[*at];
  if (s->writes != new.writes) {
    *s = new;
    return;
  }
  if (s->last != OMEN_NONE)
    t->p->idle[s->last] = true;
  s->last = e;
}

/* Of a thread's uses between two writes the first and the last are kept: if any
   of them races with the write before (after), the first (last) does, too. */
static void
thin_out (privacy *p, const omen_ids *uses, const bool *used)
{
  const omen_trace *trace = p->trace;
  thinning t = { .p = p, .used = used };
  size_t next = 0;
  t.writes = omen_zalloc (p->atoms.count + 1, sizeof *t.writes);
  omen_map_init (&t.of);
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    bool use = next < uses->count && uses->data[next] == e;
    next += use;
    if (use && p->idle[e])
      continue;
    if (use && event->kind == OMEN_ATOMIC_READ)
      thin_use (&t, e);
    else if (is_access (event) && omen_kind_writes (event->kind))
      count_write (&t, event->object);
  }
  for (size_t i = 0; i < t.stretches.count; i++) {
    const stretch *s = &t.stretches.data[i];
    if (s->last != OMEN_NONE && s->writes == t.writes[s->atom])
      p->idle[s->last] = true;
  }
  OMEN_VEC_FINI (t.stretches);
  omen_map_fini (&t.of);
  omen_free (t.writes);
}

/* Drop the uses that nothing conflicts with. */
static void
drop_uses (privacy *p, const omen_privacy *request)
{
  size_t places = p->trace->places.count;
  bool *written = omen_zalloc (places + 1, sizeof *written);
  bool *disputed = omen_zalloc (p->atoms.count + 1, sizeof *disputed);
  bool *used = omen_zalloc (p->atoms.count + 1, sizeof *used);
  find_conflicts (p, written);
  find_disputed (p, written, disputed);
  for (size_t i = 0; i < request->uses->count; i++) {
    omen_eid e = request->uses->data[i];
    uint32_t atom = p->atoms.place[p->trace->events.data[e].object].first;
    p->idle[e] = !disputed[atom];
    used[atom] = disputed[atom];
  }
  if (!request->all)
    thin_out (p, request->uses, used);
  for (size_t i = 0; i < places; i++)
    p->user[i] = OMEN_NONE;
  omen_free (written);
  omen_free (disputed);
  omen_free (used);
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

/* A place with a shared atom is kept; if values are read or written by it, all
   its atoms count as shared. True if something changed. */
static bool
keep_neighbours (privacy *p)
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

/* Mark the events of this kind without one of the opposite kind earlier in the
   walk, on the same object and by another thread: they order nothing. */
static void
find_idle (privacy *p, omen_kind kind, omen_kind opposite, bool backwards)
{
  const omen_trace *trace = p->trace;
  size_t count = trace->events.count;
  uint32_t objects = trace->names[OMEN_OPERAND_OBJECT].count;
  uint32_t *users = omen_alloc (objects * sizeof *users);
  for (uint32_t o = 0; o < objects; o++)
    users[o] = OMEN_NONE;
  for (size_t i = 0; i < count; i++) {
    size_t e = backwards ? count - 1 - i : i;
    const omen_event *event = &trace->events.data[e];
    if (event->kind == opposite)
      users[event->object] = both (users[event->object], event->thread);
    else if (event->kind == kind)
      p->idle[e] = users[event->object] == OMEN_NONE
                   || users[event->object] == event->thread;
  }
  omen_free (users);
}

static bool
goes (const privacy *p, size_t e)
{
  const omen_event *event = &p->trace->events.data[e];
  return p->idle[e] || (is_access (event) && !p->kept[event->object]);
}

/* The functions that a thread is in: their first events. */
typedef struct inside {
  omen_ids entries;
  size_t busy; /* how many, from the outermost, have an event that matters */
} inside;

static void
see_function (privacy *p, inside *in, omen_eid e)
{
  if (p->trace->events.data[e].kind == OMEN_ENTER) {
    OMEN_VEC_PUSH (in->entries, e);
    return;
  }
  if (!in->entries.count)
    return;
  omen_eid entry = OMEN_VEC_POP (in->entries);
  if (in->entries.count < in->busy)
    in->busy = in->entries.count;
  else
    p->idle[entry] = p->idle[e] = true;
}

static void
find_functions (privacy *p)
{
  uint32_t threads = p->trace->names[OMEN_OPERAND_THREAD].count;
  inside *in = omen_zalloc (threads + 1, sizeof *in);
  for (omen_eid e = 0; e < p->trace->events.count; e++) {
    const omen_event *event = &p->trace->events.data[e];
    if (event->kind == OMEN_ENTER || event->kind == OMEN_EXIT)
      see_function (p, &in[event->thread], e);
    else if (!goes (p, e))
      in[event->thread].busy = in[event->thread].entries.count;
  }
  for (uint32_t t = 0; t < threads; t++)
    OMEN_VEC_FINI (in[t].entries);
  omen_free (in);
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
    bool gone = goes (p, e);
    if (moved)
      OMEN_VEC_PUSH (*moved, gone ? OMEN_NONE : (uint32_t)left);
    accesses += gone && is_access (&event);
    if (gone)
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

static void
find_kept (privacy *p, const omen_ids *stays)
{
  find_users (p);
  for (size_t i = 0; i < stays->count; i++)
    OMEN_REQUIRE (stays->data[i] < p->trace->places.count);
  for (size_t i = 0; i < stays->count; i++)
    p->user[stays->data[i]] = SHARED;
  find_owners (p);
  while (keep_neighbours (p))
    continue;
  find_idle (p, OMEN_HAPPENS_AFTER, OMEN_HAPPENS_BEFORE, false);
  find_idle (p, OMEN_HAPPENS_BEFORE, OMEN_HAPPENS_AFTER, true);
}

uint64_t
omen_trace_drop_private (omen_trace *trace, const omen_privacy *request,
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
  p.idle = omen_zalloc (trace->events.count, sizeof *p.idle);
  if (request->uses->count)
    drop_uses (&p, request);
  if (request->all)
    memset (p.kept, true, places);
  else
    find_kept (&p, request->stays);
  if (request->functions)
    find_functions (&p);
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
