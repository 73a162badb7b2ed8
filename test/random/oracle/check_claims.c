/* The table of claims. */
#include "check.h"

#include <string.h>

static omen_eid
claimed (const check *c, unsigned i)
{
  return c->witness->claim.events.data[i];
}

static bool
in (const check *c, omen_eid e)
{
  return c->sigma.step[e] != NOWHERE;
}

/* The claimed events, all of them next, are enabled together. */
static bool
enabled (const check *c, bool but_for_locks)
{
  check_sequence s = c->sigma;
  for (unsigned i = 0; i < c->witness->claim.events.count; i++) {
    omen_eid e = claimed (c, i);
    if (!but_for_locks && !check_lock_rule (c, &c->sigma, c->sigma.count, e))
      return false;
    if (!check_append (&s, e))
      return false;
  }
  return check_rules (c, &s);
}

/* Does e write, in σ or right after it? A compare-exchange whose read is not
   preserved fails. */
static bool
writes (const check *c, omen_eid e)
{
  check_sequence s = c->sigma;
  if (!omen_event_is_cas (check_event (c, e)))
    return omen_kind_writes (check_event (c, e)->kind);
  return (in (c, e) || check_append (&s, e)) && check_preserved (c, &s, e);
}

static bool
conflict (const check *c, omen_eid a, omen_eid b)
{
  const omen_event *x = check_event (c, a), *y = check_event (c, b);
  return x->thread != y->thread && check_overlap (c, a, b)
         && x->kind != OMEN_ALLOC && x->kind != OMEN_EXTERNAL
         && y->kind != OMEN_ALLOC && y->kind != OMEN_EXTERNAL
         && (writes (c, a) || writes (c, b));
}

static bool
can_race (const check *c)
{
  omen_eid a = claimed (c, 0), b = claimed (c, 1);
  return a != b && conflict (c, a, b)
         && !(omen_kind_atomic (check_event (c, a)->kind)
              && omen_kind_atomic (check_event (c, b)->kind));
}

static bool
race (const check *c)
{
  return can_race (c) && enabled (c, false);
}

static bool
race_order (const check *c)
{
  omen_eid a = claimed (c, 0), b = claimed (c, 1);
  return can_race (c) && in (c, a) && in (c, b)
         && c->sigma.step[a] < c->sigma.step[b] && !check_ordered (c, a, b);
}

/* ---- deadlock ---- */
static omen_lid
wants (const check *c, omen_eid e)
{
  const omen_event *x = check_event (c, e);
  bool last = c->trace->index[e] + 1 == c->trace->threads.data[x->thread].count;
  if (x->kind == OMEN_REQUEST)
    return last ? x->object : OMEN_NONE;
  if (x->kind == OMEN_WAKE)
    return check_lock (c, e);
  if ((x->kind == OMEN_ACQUIRE || x->kind == OMEN_READ_ACQUIRE)
      && !(x->mode & OMEN_MODE_TRY) && !check_nested (c, e))
    return x->object;
  return OMEN_NONE;
}

static bool
deadlock (const check *c)
{
  unsigned k = (unsigned)c->witness->claim.events.count;
  for (unsigned i = 0; i < k; i++) {
    omen_eid e = claimed (c, i);
    omen_tid holder = check_event (c, claimed (c, (i + 1) % k))->thread;
    omen_lid lock = wants (c, e);
    unsigned kind = check_event (c, e)->kind;
    check_hold h;
    for (unsigned j = 0; j < i; j++)
      if (check_event (c, claimed (c, j))->thread == check_event (c, e)->thread)
        return false;
    if (lock == OMEN_NONE || check_irregular (c, lock))
      return false;
    h = check_held (c, holder,
                    check_done (c, &c->sigma, c->sigma.count, holder), lock);
    if (!h.write && !(h.read && (kind == OMEN_ACQUIRE || kind == OMEN_WAKE)))
      return false;
  }
  return k >= 2 && enabled (c, true);
}

/* ---- nondeterministic read ---- */
static bool
value_is_news (const check *c, omen_eid r, omen_eid w, check_point p)
{
  omen_model_name model = c->witness->model;
  if (model != OMEN_MODEL_VALUE && model != OMEN_MODEL_SLICED)
    return true;
  if (w != OMEN_NONE && check_event (c, w)->kind == OMEN_ATOMIC_RMW
      && !check_preserved (c, &c->sigma, w))
    return true;
  return check_same_value (c, r, w, p) != 1;
}

static bool
nondet_at (const check *c, omen_eid r, omen_eid rival, check_point p)
{
  omen_eid w = check_saw (c, r, p);
  int step = c->sigma.step[r];
  if (w == rival || check_writer (c, &c->sigma, (unsigned)step, p) != rival
      || (rival != OMEN_NONE && !writes (c, rival))
      || !value_is_news (c, r, rival, p))
    return false;
  switch (c->witness->claim.word) {
  case OMEN_WCR:
    return w == OMEN_NONE
           || (rival != OMEN_NONE && in (c, w)
               && c->sigma.step[w] < c->sigma.step[rival]);
  case OMEN_CRW:
    return w != OMEN_NONE && in (c, w) && c->sigma.step[w] > step;
  default:
    return w != OMEN_NONE && !in (c, w);
  }
}

static bool
nondet (const check *c)
{
  omen_eid r = claimed (c, 0), rival = claimed (c, 1);
  const omen_event *x = check_event (c, r);
  check_points points = { 0 };
  bool some = false;
  if (r == rival || !omen_kind_reads (x->kind) || !in (c, r)
      || check_done (c, &c->sigma, c->sigma.count, x->thread)
             != c->trace->index[r] + 1)
    return false;
  check_points_of (c, r, &points);
  for (size_t i = 0; i < points.count; i++)
    some |= nondet_at (c, r, rival, points.data[i]);
  OMEN_VEC_FINI (points);
  return some;
}

/* ---- final value ---- */
static bool
final_at (const check *c, omen_eid write, check_point p)
{
  omen_model_name model = c->witness->model;
  omen_eid w = check_writer (c, &c->base, c->base.count, p);
  if (w == write || check_writer (c, &c->sigma, c->sigma.count, p) != write)
    return false;
  return (model != OMEN_MODEL_VALUE && model != OMEN_MODEL_SLICED)
         || check_same_written (c, write, w, p) != 1;
}

static bool
final (const check *c)
{
  omen_eid write = claimed (c, 0);
  check_points points = { 0 };
  bool some = false;
  if (!omen_kind_writes (check_event (c, write)->kind)
      || c->sigma.count != c->events)
    return false;
  for (omen_eid e = 0; e < c->events; e++)
    if (omen_kind_reads (check_event (c, e)->kind)
        && !check_preserved (c, &c->sigma, e))
      return false;
  check_points_of (c, write, &points);
  for (size_t i = 0; i < points.count; i++)
    some |= final_at (c, write, points.data[i]);
  OMEN_VEC_FINI (points);
  return some;
}

/* ---- atomicity ---- */
/* The index in the thread of the end of the block, or the thread's length. */
static uint32_t
block_end (const check *c, omen_eid block)
{
  const omen_event *x = check_event (c, block);
  unsigned end = x->kind == OMEN_BEGIN ? OMEN_END : OMEN_EXIT;
  uint32_t count = c->trace->threads.data[x->thread].count;
  int open = 0;
  for (uint32_t i = c->trace->index[block]; i < count; i++) {
    const omen_event *y
        = check_event (c, omen_trace_nth (c->trace, x->thread, i));
    if (y->object == x->object && y->kind == x->kind)
      open++;
    if (y->object == x->object && y->kind == end && --open == 0)
      return i;
  }
  return count;
}

bool
check_inside (const check *c, omen_eid block, omen_eid e)
{
  const omen_event *x = check_event (c, block);
  return (x->kind == OMEN_BEGIN || x->kind == OMEN_ENTER)
         && x->thread == check_event (c, e)->thread
         && c->trace->index[block] < c->trace->index[e]
         && c->trace->index[e] < block_end (c, block);
}

static bool
atomicity (const check *c)
{
  omen_eid block = claimed (c, 0), e1 = claimed (c, 1), e2 = claimed (c, 2);
  omen_eid other = claimed (c, 3), f1 = claimed (c, 4), f2 = claimed (c, 5);
  if (other == OMEN_NONE ? f1 != f2
                         : f1 == f2 || !check_inside (c, other, f1)
                               || !check_inside (c, other, f2))
    return false;
  return check_inside (c, block, e1) && check_inside (c, block, e2)
         && c->trace->index[e1] < c->trace->index[e2] && in (c, e1)
         && in (c, e2) && in (c, f1) && in (c, f2)
         && c->sigma.step[e1] < c->sigma.step[f1]
         && c->sigma.step[f2] < c->sigma.step[e2]
         && (c->sigma.step[f1] < c->sigma.step[e2]
             || c->sigma.step[e1] < c->sigma.step[f2])
         && conflict (c, e1, f1) && conflict (c, f2, e2);
}

static bool
pattern (const check *c)
{
  for (unsigned i = 0; i < c->witness->claim.events.count; i++)
    if (!in (c, claimed (c, i))
        || (i
            && c->sigma.step[claimed (c, i - 1)]
                   >= c->sigma.step[claimed (c, i)]))
      return false;
  return true;
}

/* ---- misuse ---- */
static bool
anybody_holds (const check *c, omen_lid lock)
{
  for (omen_tid t = 0; t < c->trace->threads.count; t++) {
    check_hold h
        = check_held (c, t, check_done (c, &c->sigma, c->sigma.count, t), lock);
    if (h.write || h.read)
      return true;
  }
  return false;
}

static bool
holds_any (const check *c, omen_tid t)
{
  for (omen_lid l = 0; l < c->trace->names[OMEN_OPERAND_LOCK].count; l++) {
    check_hold h = check_held (c, t, c->trace->threads.data[t].count, l);
    if (h.write || h.read)
      return true;
  }
  return false;
}

static bool
does (const check *c, omen_eid e, omen_misuse word)
{
  const omen_event *x = check_event (c, e);
  uint32_t index = c->trace->index[e];
  omen_lid lock = x->kind == OMEN_REQUEST ? x->object : check_lock (c, e);
  check_hold h = { 0, 0 };
  if (lock != OMEN_NONE)
    h = check_held (c, x->thread, index, lock);
  switch (word) {
  case OMEN_MISUSE_TAKEN_TWICE:
    return (x->kind == OMEN_ACQUIRE && (h.write || h.read))
           || (x->kind == OMEN_READ_ACQUIRE && h.write)
           || (x->kind == OMEN_REQUEST && h.write
               && !(x->mode & OMEN_MODE_STUCK)
               && index + 1 == c->trace->threads.data[x->thread].count);
  case OMEN_MISUSE_NOT_HOLDER:
    return (x->kind == OMEN_RELEASE && !h.write)
           || (x->kind == OMEN_READ_RELEASE && !h.read);
  case OMEN_MISUSE_DESTROYED_HELD:
    return x->kind == OMEN_DESTROY && anybody_holds (c, x->object);
  case OMEN_MISUSE_WAIT_WITHOUT_LOCK:
    return x->kind == OMEN_WAIT && lock != OMEN_NONE && !h.write;
  default:
    return (x->kind == OMEN_JOIN && holds_any (c, x->object))
           || (x->kind == OMEN_ENDED && holds_any (c, x->thread)
               && index + 1 == c->trace->threads.data[x->thread].count);
  }
}

static bool
misuse (const check *c)
{
  omen_eid e = claimed (c, 0);
  if ((int)c->sigma.count != c->base.step[e])
    return false;
  for (unsigned i = 0; i < c->sigma.count; i++)
    if (c->sigma.event[i] != c->base.event[i])
      return false;
  return does (c, e, c->witness->claim.word);
}

/* ---- lifetimes ---- */
static bool
is_bad_sight (const omen_event *write, const omen_event *read, bool same)
{
  switch (write->kind) {
  case OMEN_ALLOC:
    return write->mode & OMEN_MODE_RAW && !same;
  case OMEN_WRITE:
    if (write->mode & OMEN_MODE_GONE)
      return true;
    break;
  case OMEN_ATOMIC_WRITE:
    break;
  default:
    return false;
  }
  return write->value_kind == OMEN_VALUE_INT && write->value == 0
         && read->kind == OMEN_READ && read->mode & OMEN_MODE_FOLLOWED
         && read->value_kind != OMEN_VALUE_NONE
         && !(read->value_kind == OMEN_VALUE_INT && read->value == 0)
         && write->object == read->object;
}

static bool
sees_what_it_must_not (const check *c, omen_eid f, omen_eid a)
{
  const omen_event *read = check_event (c, a);
  check_points points = { 0 };
  bool sees = false;
  if (read->kind != OMEN_READ && read->kind != OMEN_ATOMIC_READ)
    return false;
  check_points_of (c, a, &points);
  for (size_t i = 0; i < points.count; i++)
    sees |= check_writer (c, &c->sigma, c->sigma.count, points.data[i]) == f
            && is_bad_sight (check_event (c, f), read,
                             check_saw (c, a, points.data[i]) == f);
  OMEN_VEC_FINI (points);
  return sees;
}

/* A pointer to the start of what was freed, of all that a reads. */
static bool
is_led_to (const check *c, omen_eid f, omen_eid a)
{
  const omen_event *read = check_event (c, a), *write = NULL;
  const omen_place *freed = &c->trace->places.data[check_event (c, f)->object];
  check_points points = { 0 };
  omen_eid seen = OMEN_NONE;
  bool one = true;
  if (read->kind != OMEN_READ
      || !(read->mode & (OMEN_MODE_FOLLOWED | OMEN_MODE_FREED))
      || read->value_kind == OMEN_VALUE_NONE)
    return false;
  if (read->value_kind == OMEN_VALUE_POINTER
      && read->value >> 32 == freed->variable)
    return false;
  check_points_of (c, a, &points);
  for (size_t i = 0; i < points.count; i++) {
    omen_eid writer
        = check_writer (c, &c->sigma, c->sigma.count, points.data[i]);
    one &= !i || writer == seen;
    seen = writer;
  }
  OMEN_VEC_FINI (points);
  if (!one || seen == OMEN_NONE)
    return false;
  write = check_event (c, seen);
  return write->value_kind == OMEN_VALUE_POINTER
         && write->value == (uint64_t)freed->variable << 32
         && (write->kind == OMEN_WRITE || write->kind == OMEN_ATOMIC_WRITE)
         && write->object == read->object;
}

static bool
lifetime (const check *c)
{
  omen_eid f = claimed (c, 0), a = claimed (c, 1);
  const omen_event *end = check_event (c, f), *use = check_event (c, a);
  check_sequence s = c->sigma;
  bool ends = end->kind == OMEN_FREE && use->kind != OMEN_ALLOC
              && use->kind != OMEN_EXTERNAL && check_overlap (c, f, a);
  return end->thread != use->thread && in (c, f)
         && (ends || sees_what_it_must_not (c, f, a)
             || (end->kind == OMEN_FREE && is_led_to (c, f, a)))
         && check_lock_rule (c, &c->sigma, c->sigma.count, a)
         && check_append (&s, a) && check_rules (c, &s);
}

bool
check_claim (const check *c)
{
  switch (c->witness->claim.kind) {
  case OMEN_CLAIM_RACE:
    return race (c);
  case OMEN_CLAIM_RACE_ORDER:
    return race_order (c);
  case OMEN_CLAIM_DEADLOCK:
    return deadlock (c);
  case OMEN_CLAIM_NONDET:
    return nondet (c);
  case OMEN_CLAIM_ATOMICITY:
    return atomicity (c);
  case OMEN_CLAIM_PATTERN:
    return pattern (c);
  case OMEN_CLAIM_FINAL:
    return final (c);
  case OMEN_CLAIM_LIFETIME:
    return lifetime (c);
  default:
    return misuse (c);
  }
}
