/* Synchronised order as a relation: every edge of the definition by itself,
   then the transitive closure. */
#include "check.h"

static bool
acquires (const omen_event *x)
{
  return x->order == OMEN_ORDER_SC || x->order == OMEN_ORDER_ACQUIRE
         || x->order == OMEN_ORDER_ACQ_REL;
}

static bool
releases (const omen_event *x)
{
  return x->order == OMEN_ORDER_SC || x->order == OMEN_ORDER_RELEASE
         || x->order == OMEN_ORDER_ACQ_REL;
}

/* 'w' or 'r': e starts (ends) a critical section in that mode; 0: it does not.
   Nested operations do neither. */
static char
starts (const check *c, omen_eid e)
{
  unsigned kind = check_event (c, e)->kind;
  if (check_nested (c, e))
    return 0;
  return kind == OMEN_ACQUIRE || kind == OMEN_WAKE ? 'w'
         : kind == OMEN_READ_ACQUIRE               ? 'r'
                                                   : 0;
}

static char
ends (const check *c, omen_eid e)
{
  unsigned kind = check_event (c, e)->kind;
  if (check_nested (c, e))
    return 0;
  return kind == OMEN_RELEASE || kind == OMEN_WAIT ? 'w'
         : kind == OMEN_READ_RELEASE               ? 'r'
                                                   : 0;
}

static bool
lock_edge (const check *c, omen_eid e, omen_eid f)
{
  omen_lid lock = check_lock (c, e);
  unsigned k = check_event (c, e)->kind, l = check_event (c, f)->kind;
  char end = 0, start = 0;
  if (lock == OMEN_NONE || check_lock (c, f) != lock || k == OMEN_TRY_FAIL
      || k == OMEN_READ_TRY_FAIL || l == OMEN_TRY_FAIL
      || l == OMEN_READ_TRY_FAIL)
    return false;
  if (check_irregular (c, lock))
    return true;
  end = ends (c, e);
  start = starts (c, f);
  return end && start && (end == 'w' || start == 'w');
}

static bool
thread_edge (const check *c, omen_eid e, omen_eid f)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, f);
  return x->thread == y->thread
         || (x->kind == OMEN_FORK && x->object == y->thread)
         || (x->kind == OMEN_FORK && y->kind == OMEN_JOIN
             && x->object == y->object)
         || (y->kind == OMEN_JOIN && y->object == x->thread);
}

/* Which up (down) since the last seminit before it is e, counting from 1? */
static uint64_t
number_of (const check *c, omen_eid e, omen_eid *init)
{
  const omen_event *x = check_event (c, e);
  uint64_t number = 1;
  *init = OMEN_NONE;
  for (int i = c->sigma.step[e] - 1; i >= 0; i--) {
    const omen_event *y = check_event (c, c->sigma.event[i]);
    if (omen_kind_operand (y->kind) != OMEN_OPERAND_SEMAPHORE
        || y->object != x->object)
      continue;
    if (y->kind == OMEN_SEM_INIT) {
      *init = c->sigma.event[i];
      break;
    }
    number += y->kind == x->kind;
  }
  return number;
}

static bool
semaphore_edge (const check *c, omen_eid e, omen_eid f)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, f);
  omen_eid from, to;
  uint64_t up, down, n;
  if (omen_kind_operand (x->kind) != OMEN_OPERAND_SEMAPHORE
      || omen_kind_operand (y->kind) != OMEN_OPERAND_SEMAPHORE
      || x->object != y->object)
    return false;
  if (x->kind == OMEN_SEM_INIT || y->kind == OMEN_SEM_INIT)
    return true;
  if (x->kind != OMEN_SEM_UP || y->kind != OMEN_SEM_DOWN)
    return false;
  up = number_of (c, e, &from);
  down = number_of (c, f, &to);
  n = to == OMEN_NONE ? check_count_before (c, x->object)
                      : check_event (c, to)->value;
  return from == to && down == n + up;
}

static bool
other_edge (const check *c, omen_eid e, omen_eid f)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, f);
  if (check_needs_notify (c, f) && check_notify (c, &c->sigma, f) == e)
    return true;
  if (x->kind == OMEN_ARRIVE && y->kind == OMEN_DEPART
      && x->object == y->object)
    return check_round (c, e) == check_round (c, f);
  if (x->kind == OMEN_ARRIVE && y->kind == OMEN_ARRIVE
      && x->object == y->object)
    return check_round (c, e) + 1 == check_round (c, f);
  if (x->kind == OMEN_HAPPENS_BEFORE && y->kind == OMEN_HAPPENS_AFTER)
    return x->object == y->object;
  return (x->kind == OMEN_ALLOC || x->kind == OMEN_EXTERNAL
          || y->kind == OMEN_EXTERNAL)
         && check_overlap (c, e, f);
}

/* Does read f see, at p, a write of the release sequence that w heads? */
static bool
sees_sequence (const check *c, omen_eid w, omen_eid f, check_point p)
{
  omen_eid seen = check_writer (c, &c->sigma, (unsigned)c->sigma.step[f], p);
  check_points points = { 0 };
  bool ok = seen != OMEN_NONE && c->sigma.step[seen] >= c->sigma.step[w];
  bool there = false;
  check_points_of (c, w, &points);
  for (size_t i = 0; i < points.count; i++)
    there |= points.data[i].variable == p.variable && points.data[i].at == p.at;
  OMEN_VEC_FINI (points);
  if (!ok || !there)
    return false;
  for (int i = c->sigma.step[w] + 1; i <= c->sigma.step[seen]; i++) {
    const omen_event *x = check_event (c, c->sigma.event[i]);
    bool writes_here
        = check_writer (c, &c->sigma, (unsigned)i + 1, p) == c->sigma.event[i];
    if (writes_here && x->kind != OMEN_ATOMIC_RMW
        && !(x->kind == OMEN_ATOMIC_WRITE
             && x->thread == check_event (c, w)->thread))
      return false;
  }
  return true;
}

/* By reading: a `w` that r sees, or a release sequence that f sees. */
static bool
sees (const check *c, omen_eid w, omen_eid f, bool sequence)
{
  check_points points = { 0 };
  bool some = false;
  check_points_of (c, f, &points);
  for (size_t i = 0; i < points.count; i++)
    some |= sequence ? sees_sequence (c, w, f, points.data[i])
                     : check_writer (c, &c->sigma, (unsigned)c->sigma.step[f],
                                     points.data[i])
                           == w;
  OMEN_VEC_FINI (points);
  return some;
}

/* e is the write w if that releases, or a release fence po-before w. */
static bool
releases_by (const check *c, omen_eid e, omen_eid w)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, w);
  if (e == w)
    return releases (x);
  return x->kind == OMEN_FENCE && releases (x) && x->thread == y->thread
         && c->trace->index[e] < c->trace->index[w];
}

static bool
acquires_by (const check *c, omen_eid f, omen_eid r)
{
  const omen_event *x = check_event (c, f), *y = check_event (c, r);
  if (f == r)
    return acquires (x);
  return x->kind == OMEN_FENCE && acquires (x) && x->thread == y->thread
         && c->trace->index[r] < c->trace->index[f];
}

static bool
atomic_edge (const check *c, omen_eid e, omen_eid f)
{
  for (unsigned i = 0; i < c->sigma.count; i++)
    for (unsigned k = i + 1; k < c->sigma.count; k++) {
      omen_eid w = c->sigma.event[i], r = c->sigma.event[k];
      unsigned wk = check_event (c, w)->kind, rk = check_event (c, r)->kind;
      if (omen_kind_atomic (wk) && omen_kind_writes (wk)
          && omen_kind_atomic (rk) && omen_kind_reads (rk)
          && releases_by (c, e, w) && acquires_by (c, f, r)
          && sees (c, w, r, true))
        return true;
    }
  return false;
}

/* `asked`: e and f are the two events whose order is asked for. That one sees
   the other does not count then. */
static bool
edge (const check *c, omen_eid e, omen_eid f, bool asked)
{
  if (thread_edge (c, e, f) || lock_edge (c, e, f) || semaphore_edge (c, e, f)
      || other_edge (c, e, f))
    return true;
  if (!asked && check_event (c, e)->kind == OMEN_WRITE
      && check_event (c, f)->kind == OMEN_READ && sees (c, e, f, false))
    return true;
  return atomic_edge (c, e, f);
}

bool
check_ordered (const check *c, omen_eid a, omen_eid b)
{
  bool after[CHECK_EVENTS] = { false };
  after[a] = true;
  for (unsigned k = (unsigned)c->sigma.step[a] + 1; k < c->sigma.count; k++)
    for (unsigned i = (unsigned)c->sigma.step[a]; i < k; i++)
      if (after[c->sigma.event[i]]
          && edge (c, c->sigma.event[i], c->sigma.event[k],
                   c->sigma.event[i] == a && c->sigma.event[k] == b))
        after[c->sigma.event[k]] = true;
  return after[b];
}
