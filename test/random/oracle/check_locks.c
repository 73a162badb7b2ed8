/* Locks, from each thread's own events; the base order. */
#include "check.h"

omen_lid
check_lock (const check *c, omen_eid e)
{
  const omen_event *x = check_event (c, e);
  if (x->kind == OMEN_WAIT || x->kind == OMEN_WAKE)
    return (omen_lid)x->value;
  if (omen_kind_operand (x->kind) != OMEN_OPERAND_LOCK
      || x->kind == OMEN_REQUEST || x->kind == OMEN_LOCK_FAIL
      || x->kind == OMEN_DESTROY)
    return OMEN_NONE;
  return x->object;
}

check_hold
check_held (const check *c, omen_tid t, unsigned done, omen_lid lock)
{
  check_hold h = { 0, 0 };
  unsigned before_wait = 0;
  bool waited_with_lock = false;
  for (unsigned i = 0; i < done; i++) {
    omen_eid e = omen_trace_nth (c->trace, t, i);
    unsigned kind = check_event (c, e)->kind;
    bool mine = check_lock (c, e) == lock;
    if (mine && kind == OMEN_ACQUIRE)
      h.write++;
    if (mine && kind == OMEN_READ_ACQUIRE)
      h.read++;
    if (mine && kind == OMEN_RELEASE && h.write)
      h.write--;
    if (mine && kind == OMEN_READ_RELEASE && h.read)
      h.read--;
    if (mine && kind == OMEN_WAKE)
      h.write += waited_with_lock ? before_wait : 1;
    waited_with_lock = kind == OMEN_WAIT && check_lock (c, e) != OMEN_NONE;
    if (mine && kind == OMEN_WAIT) {
      before_wait = h.write;
      h.write = 0;
    }
  }
  return h;
}

static check_hold
held_before (const check *c, omen_eid e)
{
  return check_held (c, check_event (c, e)->thread, c->trace->index[e],
                     check_lock (c, e));
}

bool
check_nested (const check *c, omen_eid e)
{
  check_hold h = held_before (c, e);
  switch (check_event (c, e)->kind) {
  case OMEN_ACQUIRE:
    return h.write > 0;
  case OMEN_READ_ACQUIRE:
    return h.read > 0;
  case OMEN_RELEASE:
    return h.write > 1;
  case OMEN_READ_RELEASE:
    return h.read > 1;
  default:
    return false;
  }
}

static bool
makes_sense (const check *c, omen_eid e)
{
  check_hold h = held_before (c, e);
  switch (check_event (c, e)->kind) {
  case OMEN_ACQUIRE:
    return !h.read;
  case OMEN_READ_ACQUIRE:
    return !h.write;
  case OMEN_RELEASE:
  case OMEN_WAIT:
    return h.write > 0;
  case OMEN_READ_RELEASE:
    return h.read > 0;
  case OMEN_WAKE:
    return !h.write && !h.read;
  default:
    return true;
  }
}

bool
check_irregular (const check *c, omen_lid lock)
{
  for (omen_eid e = 0; e < c->events; e++)
    if (check_lock (c, e) == lock && !makes_sense (c, e))
      return true;
  return false;
}

static bool
irregular_rule (const check *c, const check_sequence *s, unsigned steps,
                omen_eid e)
{
  for (omen_eid f = 0; f < c->events; f++)
    if (check_lock (c, f) == check_lock (c, e)
        && c->base.step[f] < c->base.step[e]
        && (s->step[f] == NOWHERE || s->step[f] >= (int)steps))
      return false;
  return true;
}

static bool
free_for (const check *c, const check_sequence *s, unsigned steps, omen_eid e)
{
  bool written = false, read = false;
  for (omen_tid t = 0; t < c->trace->threads.count; t++) {
    check_hold h
        = check_held (c, t, check_done (c, s, steps, t), check_lock (c, e));
    written |= h.write > 0;
    read |= h.read > 0;
  }
  switch (check_event (c, e)->kind) {
  case OMEN_ACQUIRE:
  case OMEN_WAKE:
    return !written && !read;
  case OMEN_READ_ACQUIRE:
    return !written;
  case OMEN_TRY_FAIL:
    return written || read;
  case OMEN_READ_TRY_FAIL:
    return written;
  default:
    return true;
  }
}

bool
check_lock_rule (const check *c, const check_sequence *s, unsigned steps,
                 omen_eid e)
{
  omen_lid lock = check_lock (c, e);
  if (lock == OMEN_NONE)
    return true;
  if (check_irregular (c, lock))
    return irregular_rule (c, s, steps, e);
  return check_nested (c, e) || free_for (c, s, steps, e);
}

/* May e go next, as far as taking its lock is concerned? */
static bool
goes (const check *c, omen_eid e)
{
  unsigned kind = check_event (c, e)->kind;
  omen_lid lock = check_lock (c, e);
  if (lock == OMEN_NONE
      || (kind != OMEN_ACQUIRE && kind != OMEN_READ_ACQUIRE
          && kind != OMEN_WAKE))
    return true;
  return check_irregular (c, lock) || check_nested (c, e)
         || free_for (c, &c->base, c->base.count, e);
}

void
check_base_order (check *c)
{
  while (c->base.count < c->events) {
    omen_eid next = OMEN_NONE;
    for (omen_eid e = 0; e < c->events && next == OMEN_NONE; e++)
      if (c->base.step[e] == NOWHERE
          && check_done (c, &c->base, c->base.count, check_event (c, e)->thread)
                 == c->trace->index[e]
          && goes (c, e))
        next = e;
    OMEN_REQUIRE (next != OMEN_NONE);
    check_append (&c->base, next);
  }
}
