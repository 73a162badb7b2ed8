/* Sources of later edges: releases, releasing writes and fences, notifies, ups
   and others are recorded under the lock, atom, thread or object through which
   they may colour later events. */
#include "model/colour_state.h"

static bool
releases (const omen_colour *c, unsigned order)
{
  return c->release_all || omen_order_releases (order);
}

omen_lid
omen_colour_lock (const omen_event *event)
{
  if (event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
    return (uint32_t)event->value;
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
    return event->object;
  default: /* requests and failed tries order nothing */
    return OMEN_NONE;
  }
}

/* The release sequences that this write continues, and the one that it
   heads. */
static void
pass_heads (omen_colour *c, const omen_event *event, uint32_t atom,
            uint32_t place)
{
  omen_colour_heads *list = &c->heads[atom];
  size_t kept = 0;
  uint32_t fence = c->release_fence[event->thread];
  for (size_t i = 0; i < list->count; i++)
    if (event->kind == OMEN_ATOMIC_RMW
        || (event->kind == OMEN_ATOMIC_WRITE
            && list->data[i].thread == event->thread))
      list->data[kept++] = list->data[i];
  OMEN_ASSERT (kept <= list->count);
  list->count = kept;
  if (!omen_kind_atomic (event->kind))
    return;
  if (releases (c, event->order))
    OMEN_VEC_PUSH (*list, ((omen_colour_head){ place, event->thread }));
  if (fence != OMEN_NONE)
    OMEN_VEC_PUSH (*list, ((omen_colour_head){ fence, event->thread }));
}

static void
mark_write (omen_colour *c, omen_eid e, uint32_t place)
{
  const omen_event *event = omen_model_event (c->m, e);
  omen_span atoms = omen_model_atoms (c->m, e);
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
    pass_heads (c, event, a, place);
    c->plain[a] = event->kind == OMEN_WRITE ? place : OMEN_NONE;
  }
}

static void
mark_lock (omen_colour *c, omen_eid e, uint32_t place)
{
  const omen_event *event = omen_model_event (c->m, e);
  omen_lid lock = omen_colour_lock (event);
  if (lock == OMEN_NONE || !omen_coloured (c, place))
    return;
  if (c->m->irregular[lock])
    c->irregular[lock] = place;
  else if (event->kind == OMEN_WAIT)
    c->write_end[lock] = place;
  else if ((event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE)
           && c->m->at[e] != OMEN_NONE) {
    if (c->m->sections[c->m->at[e]].mode == OMEN_LOCK_WRITE)
      c->write_end[lock] = place;
    else
      c->read_end[lock] = place;
  }
}

static void
mark_if_coloured (omen_colour *c, uint32_t *slot, uint32_t place)
{
  if (omen_coloured (c, place))
    *slot = place;
}

/* Kinds with a rule of their own. */
static void
mark_by_kind (omen_colour *c, omen_eid e, uint32_t place)
{
  const omen_event *event = omen_model_event (c->m, e);
  switch (event->kind) {
  case OMEN_FORK:
    mark_if_coloured (c, &c->thread_fork[event->object], place);
    break;
  case OMEN_SEM_INIT:
    mark_if_coloured (c, &c->init[c->m->at[e]], place);
    break;
  case OMEN_ARRIVE:
    mark_if_coloured (c, &c->round[c->m->at[e]], place);
    break;
  case OMEN_HAPPENS_BEFORE:
    mark_if_coloured (c, &c->object[event->object], place);
    break;
  case OMEN_FENCE:
    if (releases (c, event->order))
      c->release_fence[event->thread] = place;
    break;
  case OMEN_ALLOC:
    mark_if_coloured (
        c, &c->alloc[c->m->trace->places.data[event->object].variable], place);
    break;
  default:
    break;
  }
}

void
omen_colour_serve (const omen_model *m, omen_colour_served *served, omen_eid e,
                   uint32_t place)
{
  const omen_event *event = omen_model_event (m, e);
  switch (event->kind) {
  case OMEN_WAIT:
    OMEN_ASSERT (served->wait_place[m->at[e]] == OMEN_NONE);
    served->wait_place[m->at[e]] = place;
    break;
  case OMEN_NOTIFY:
  case OMEN_NOTIFY_ALL:
    omen_notifies_add (&served->notifies[event->object], place,
                       event->kind == OMEN_NOTIFY_ALL);
    break;
  case OMEN_SEM_UP:
    OMEN_VEC_PUSH (served->ups[m->at[e]], place);
    break;
  default:
    break;
  }
}

void
omen_colour_mark (omen_colour *c, omen_eid e, uint32_t place)
{
  const omen_event *event = omen_model_event (c->m, e);
  mark_if_coloured (c, &c->thread_last[event->thread], place);
  mark_lock (c, e, place);
  if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS) {
    bool ext = omen_model_event (c->m, e)->kind == OMEN_EXTERNAL;
    omen_span atoms = omen_model_atoms (c->m, e);
    for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
      mark_if_coloured (c, &c->touched[a], place);
      if (ext)
        mark_if_coloured (c, &c->changed[a], place);
    }
  }
  if (omen_kind_operand (event->kind) == OMEN_OPERAND_SEMAPHORE
      && event->kind != OMEN_SEM_REQUEST)
    mark_if_coloured (c, &c->counted[event->object], place);
  if (omen_kind_writes (event->kind))
    mark_write (c, e, place);
  mark_by_kind (c, e, place);
}
