#include "model/colour_state.h"

#include <string.h>

/* Arrays of places, with their lengths. */
#define EACH_PLACES(X)                                                         \
  X (thread_last, m->thread_count)                                             \
  X (thread_fork, m->thread_count)                                             \
  X (release_fence, m->thread_count)                                           \
  X (write_end, m->lock_count)                                                 \
  X (read_end, m->lock_count)                                                  \
  X (irregular, m->lock_count)                                                 \
  X (object, m->trace->names[OMEN_OPERAND_OBJECT].count)                       \
  X (round, m->round_count)                                                    \
  X (alloc, m->variable_count)                                                 \
  X (plain, m->atom_count)                                                     \
  X (touched, m->atom_count)                                                   \
  X (changed, m->atom_count)                                                   \
  X (counted, m->trace->names[OMEN_OPERAND_SEMAPHORE].count)                   \
  X (init, m->semaphore_count)

/* Arrays of lists. */
#define EACH_LISTS(X)                                                          \
  X (glimpsed, m->thread_count)                                                \
  X (heads, m->atom_count)

static uint32_t
conditions (const omen_model *m)
{
  return m->trace->names[OMEN_OPERAND_CONDITION].count;
}

/* ---- what serves what ---- */

static void
served_init (const omen_model *m, omen_colour_served *s)
{
  s->ups = omen_zalloc (m->semaphore_count, sizeof *s->ups);
  s->downs = omen_zalloc (m->semaphore_count, sizeof *s->downs);
  s->notifies = omen_zalloc (conditions (m), sizeof *s->notifies);
  s->wait_place = omen_alloc (m->wait_count * sizeof *s->wait_place);
  memset (s->wait_place, 0xff, m->wait_count * sizeof *s->wait_place);
}

static void
served_fini (const omen_model *m, omen_colour_served *s)
{
  for (uint32_t i = 0; i < m->semaphore_count; i++)
    OMEN_VEC_FINI (s->ups[i]);
  for (uint32_t i = 0; i < conditions (m); i++)
    omen_notifies_fini (&s->notifies[i]);
  omen_free (s->ups);
  omen_free (s->downs);
  omen_free (s->notifies);
  omen_free (s->wait_place);
}

static void
served_copy (const omen_model *m, omen_colour_served *to,
             const omen_colour_served *from)
{
  for (uint32_t i = 0; i < m->semaphore_count; i++)
    OMEN_VEC_COPY (to->ups[i], from->ups[i]);
  for (uint32_t i = 0; i < conditions (m); i++)
    omen_notifies_copy (&to->notifies[i], &from->notifies[i]);
  memcpy (to->downs, from->downs, m->semaphore_count * sizeof *to->downs);
  memcpy (to->wait_place, from->wait_place,
          m->wait_count * sizeof *to->wait_place);
}

/* The place of the notify that serves this return, OMEN_NONE: it needs none. */
static uint32_t
serving_notify (const omen_model *m, omen_colour_served *s, omen_eid e,
                uint32_t *condition)
{
  uint32_t id = m->wait_count ? omen_model_return_of (m, e) : OMEN_NONE;
  if (id == OMEN_NONE || !m->waits[id].needs)
    return OMEN_NONE;
  OMEN_ASSERT (s->wait_place[id] != OMEN_NONE);
  *condition = m->waits[id].condition;
  return omen_notifies_take (&s->notifies[*condition], s->wait_place[id]);
}

/* The place of the up that serves this down, OMEN_NONE: the initial count. */
static uint32_t
serving_up (const omen_model *m, omen_colour_served *s, omen_eid e)
{
  uint32_t segment = m->at[e], start = m->semaphores[segment].start;
  OMEN_ASSERT (s->downs[segment] < start + s->ups[segment].count);
  return s->downs[segment]++ < start
             ? OMEN_NONE
             : s->ups[segment].data[s->downs[segment] - 1 - start];
}

static void
serve_before (omen_colour *c)
{
  const omen_model *m = c->m;
  uint32_t condition;
  for (uint32_t place = 0; place < c->start; place++) {
    omen_eid e = omen_model_nth (m, place);
    serving_notify (m, &c->before, e, &condition);
    if (omen_model_event (m, e)->kind == OMEN_SEM_DOWN)
      serving_up (m, &c->before, e);
    omen_colour_serve (m, &c->before, e, place);
  }
}

omen_colour *
omen_colour_new (const omen_model *m, uint32_t start)
{
  omen_colour *c = omen_zalloc (1, sizeof *c);
  c->m = m;
  c->start = start;
#define NEW_PLACES(name, count) c->name = omen_alloc (count * sizeof *c->name);
  EACH_PLACES (NEW_PLACES)
#undef NEW_PLACES
#define NEW_LISTS(name, count) c->name = omen_zalloc (count, sizeof *c->name);
  EACH_LISTS (NEW_LISTS)
#undef NEW_LISTS
  served_init (m, &c->before);
  served_init (m, &c->now);
  serve_before (c);
  return c;
}

void
omen_colour_free (omen_colour *c)
{
  const omen_model *m;
  if (!c)
    return;
  m = c->m;
#define FREE_LISTS(name, count)                                                \
  for (uint32_t i = 0; i < count; i++)                                         \
    OMEN_VEC_FINI (c->name[i]);                                                \
  omen_free (c->name);
  EACH_LISTS (FREE_LISTS)
#undef FREE_LISTS
#define FREE_PLACES(name, count) omen_free (c->name);
  EACH_PLACES (FREE_PLACES)
#undef FREE_PLACES
  served_fini (m, &c->before);
  served_fini (m, &c->now);
  OMEN_VEC_FINI (c->causes);
  omen_free (c);
}

static void
reset (omen_colour *c)
{
  const omen_model *m = c->m;
#define CLEAR_PLACES(name, count)                                              \
  memset (c->name, 0xff, count * sizeof *c->name);
  EACH_PLACES (CLEAR_PLACES)
#undef CLEAR_PLACES
#define CLEAR_LISTS(name, count)                                               \
  for (uint32_t i = 0; i < count; i++)                                         \
    OMEN_VEC_CLEAR (c->name[i]);
  EACH_LISTS (CLEAR_LISTS)
#undef CLEAR_LISTS
  served_copy (m, &c->now, &c->before);
  OMEN_VEC_CLEAR (c->causes);
}

const omen_cause *
omen_colour_causes (const omen_colour *c)
{
  return c->causes.data;
}

/* Colour the current event from `place`, unless it is coloured already. */
static void
dye (omen_colour *c, omen_cause *cause, omen_tie tie, uint32_t object,
     uint32_t place, omen_eid read)
{
  OMEN_ASSERT (tie != OMEN_TIE_NONE);
  if (cause->tie == OMEN_TIE_NONE && omen_coloured (c, place))
    *cause = (omen_cause){ tie, object, place - c->start, read };
}

void
omen_colour_strengthen (omen_colour *c, bool acquire, bool release)
{
  c->acquire_all = acquire;
  c->release_all = release;
}

static bool
acquires (const omen_colour *c, unsigned order)
{
  return c->acquire_all || omen_order_acquires (order);
}

/* ---- what colours an event ---- */

static void
dye_reads (omen_colour *c, omen_eid e, omen_cause *cause)
{
  const omen_event *event = omen_model_event (c->m, e);
  omen_span atoms = omen_model_atoms (c->m, e);
  OMEN_ASSERT (omen_kind_reads (event->kind));
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
    if (event->kind == OMEN_READ) {
      if (e == c->b && c->plain[a] != OMEN_NONE
          && c->events->data[c->plain[a] - c->start] == c->a)
        continue;
      dye (c, cause, OMEN_TIE_ATOM, a, c->plain[a], e);
      continue;
    }
    for (size_t i = 0; i < c->heads[a].count; i++) {
      uint32_t place = c->heads[a].data[i].place;
      if (acquires (c, event->order))
        dye (c, cause, OMEN_TIE_ATOM, a, place, e);
      else
        OMEN_VEC_PUSH (c->glimpsed[event->thread],
                       ((omen_colour_glimpse){ place, a, e }));
    }
  }
}

static void
dye_access (omen_colour *c, omen_eid e, omen_cause *cause)
{
  const omen_event *event = omen_model_event (c->m, e);
  omen_vid v = c->m->trace->places.data[event->object].variable;
  omen_span atoms = omen_model_atoms (c->m, e);
  dye (c, cause, OMEN_TIE_RULE, 0, c->alloc[v], OMEN_NONE);
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
    dye (c, cause, OMEN_TIE_RULE, 0, c->changed[a], OMEN_NONE);
    if (event->kind == OMEN_EXTERNAL)
      dye (c, cause, OMEN_TIE_RULE, 0, c->touched[a], OMEN_NONE);
  }
  if (omen_kind_reads (event->kind))
    dye_reads (c, e, cause);
}

static void
dye_acquire (omen_colour *c, omen_lid lock, uint32_t mode, omen_cause *cause)
{
  OMEN_ASSERT (!c->m->irregular[lock]);
  dye (c, cause, OMEN_TIE_LOCK, lock, c->write_end[lock], OMEN_NONE);
  if (mode == OMEN_LOCK_WRITE)
    dye (c, cause, OMEN_TIE_LOCK, lock, c->read_end[lock], OMEN_NONE);
}

static void
dye_return (omen_colour *c, omen_eid e, omen_cause *cause)
{
  uint32_t condition = OMEN_NONE;
  uint32_t place = serving_notify (c->m, &c->now, e, &condition);
  dye (c, cause, OMEN_TIE_CONDITION, condition, place, OMEN_NONE);
}

static void
dye_semaphore (omen_colour *c, omen_eid e, omen_cause *cause)
{
  uint32_t segment = c->m->at[e];
  dye (c, cause, OMEN_TIE_RULE, 0, c->init[segment], OMEN_NONE);
  if (omen_model_event (c->m, e)->kind == OMEN_SEM_DOWN)
    dye (c, cause, OMEN_TIE_SEMAPHORE, segment, serving_up (c->m, &c->now, e),
         OMEN_NONE);
}

static void
dye_fence (omen_colour *c, const omen_event *event, omen_cause *cause)
{
  const omen_colour_glimpses *seen = &c->glimpsed[event->thread];
  for (size_t i = 0; acquires (c, event->order) && i < seen->count; i++)
    dye (c, cause, OMEN_TIE_ATOM, seen->data[i].atom, seen->data[i].place,
         seen->data[i].read);
}

static void
dye_lock (omen_colour *c, omen_eid e, omen_cause *cause)
{
  const omen_event *event = omen_model_event (c->m, e);
  omen_lid lock = omen_colour_lock (event);
  if (lock == OMEN_NONE)
    return;
  if (c->m->irregular[lock])
    dye (c, cause, OMEN_TIE_RULE, 0, c->irregular[lock], OMEN_NONE);
  else if (event->kind == OMEN_WAKE)
    dye_acquire (c, lock, OMEN_LOCK_WRITE, cause);
  else if ((event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE)
           && c->m->at[e] != OMEN_NONE)
    dye_acquire (c, lock, c->m->sections[c->m->at[e]].mode, cause);
}

/* Kinds with a rule of their own. */
static void
dye_by_kind (omen_colour *c, omen_eid e, omen_cause *cause)
{
  const omen_event *event = omen_model_event (c->m, e);
  switch (event->kind) {
  case OMEN_JOIN:
    dye (c, cause, OMEN_TIE_RULE, 0, c->thread_last[event->object], OMEN_NONE);
    dye (c, cause, OMEN_TIE_RULE, 0, c->thread_fork[event->object], OMEN_NONE);
    break;
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
    dye_semaphore (c, e, cause);
    break;
  case OMEN_SEM_INIT:
    dye (c, cause, OMEN_TIE_RULE, 0, c->counted[event->object], OMEN_NONE);
    break;
  case OMEN_ARRIVE:
    if (c->m->at[e] && c->m->rounds[c->m->at[e] - 1].barrier == event->object)
      dye (c, cause, OMEN_TIE_RULE, 0, c->round[c->m->at[e] - 1], OMEN_NONE);
    break;
  case OMEN_DEPART:
    dye (c, cause, OMEN_TIE_RULE, 0, c->round[c->m->at[e]], OMEN_NONE);
    break;
  case OMEN_HAPPENS_AFTER:
    dye (c, cause, OMEN_TIE_RULE, 0, c->object[event->object], OMEN_NONE);
    break;
  case OMEN_FENCE:
    dye_fence (c, event, cause);
    break;
  default:
    break;
  }
}

/* The first edge found is kept, so edges that leave the search few ways to
   avoid them are tried first. */
static void
dye_event (omen_colour *c, omen_eid e, omen_cause *cause)
{
  const omen_event *event = omen_model_event (c->m, e);
  omen_tid t = event->thread;
  dye (c, cause, OMEN_TIE_THREAD, 0, c->thread_last[t], OMEN_NONE);
  if (!c->m->trace->index[e])
    dye (c, cause, OMEN_TIE_RULE, 0, c->thread_fork[t], OMEN_NONE);
  if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
    dye_access (c, e, cause);
  dye_return (c, e, cause);
  dye_lock (c, e, cause);
  dye_by_kind (c, e, cause);
}

void
omen_colour_walk (omen_colour *c, const omen_ids *events, omen_eid a,
                  omen_eid b)
{
  OMEN_REQUIRE (a != b && a < c->m->event_count && b < c->m->event_count);
  reset (c);
  c->events = events;
  c->a = a;
  c->b = b;
  for (uint32_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i];
    omen_cause cause = { OMEN_TIE_NONE, 0, OMEN_NONE, OMEN_NONE };
    dye_event (c, e, &cause);
    if (e == a)
      cause = (omen_cause){ OMEN_TIE_THREAD, 0, i, OMEN_NONE };
    OMEN_VEC_PUSH (c->causes, cause);
    omen_colour_mark (c, e, c->start + i);
    omen_colour_serve (c->m, &c->now, e, c->start + i);
    OMEN_ASSERT (c->causes.count == i + 1);
  }
}
