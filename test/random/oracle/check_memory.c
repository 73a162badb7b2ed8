/* Atoms, values, what reads see. */
#include "check.h"

#include <string.h>

static const omen_place *
place_of (const check *c, omen_eid e)
{
  return &c->trace->places.data[check_event (c, e)->object];
}

static bool
is_access (const check *c, omen_eid e)
{
  return omen_kind_class (check_event (c, e)->kind) == OMEN_CLASS_ACCESS;
}

static bool
covers (const omen_place *place, check_point p)
{
  return place->variable == p.variable
         && (place->size == OMEN_WHOLE
             || (place->offset <= p.at
                 && p.at < (uint64_t)place->offset + place->size));
}

static bool
reads_point (const check *c, omen_eid e, check_point p)
{
  return omen_kind_reads (check_event (c, e)->kind)
         && covers (place_of (c, e), p);
}

static bool
writes_point (const check *c, omen_eid e, check_point p)
{
  return omen_kind_writes (check_event (c, e)->kind)
         && covers (place_of (c, e), p);
}

static void
add_point (check_points *points, check_point p)
{
  for (size_t i = 0; i < points->count; i++)
    if (points->data[i].at == p.at)
      return;
  OMEN_VEC_PUSH (*points, p);
}

/* Every boundary inside the place, byte 0 of the variable being one. */
static void
points_in (const check *c, const omen_place *place, check_points *points)
{
  check_point zero = { place->variable, 0 };
  OMEN_VEC_CLEAR (*points);
  if (covers (place, zero))
    add_point (points, zero);
  for (size_t i = 0; i < c->trace->places.count; i++) {
    const omen_place *other = &c->trace->places.data[i];
    check_point from = { other->variable, other->offset };
    check_point to = { other->variable, (uint64_t)other->offset + other->size };
    if (other->size == OMEN_WHOLE)
      continue;
    if (covers (place, from))
      add_point (points, from);
    if (covers (place, to))
      add_point (points, to);
  }
}

void
check_points_of (const check *c, omen_eid e, check_points *points)
{
  if (is_access (c, e))
    points_in (c, place_of (c, e), points);
  else
    OMEN_VEC_CLEAR (*points);
}

/* The boundary after p, which ends its atom. */
static uint64_t
atom_end (const check *c, check_point p)
{
  uint64_t end = UINT64_MAX;
  for (size_t i = 0; i < c->trace->places.count; i++) {
    const omen_place *other = &c->trace->places.data[i];
    uint64_t ends[2] = { other->offset, (uint64_t)other->offset + other->size };
    for (int k = 0; k < 2; k++)
      if (other->variable == p.variable && other->size != OMEN_WHOLE
          && ends[k] > p.at && ends[k] < end)
        end = ends[k];
  }
  return end;
}

bool
check_overlap (const check *c, omen_eid a, omen_eid b)
{
  check_points points = { 0 };
  bool shared = false;
  check_points_of (c, a, &points);
  for (size_t i = 0; i < points.count; i++)
    shared |= is_access (c, b) && covers (place_of (c, b), points.data[i]);
  OMEN_VEC_FINI (points);
  return shared;
}

omen_eid
check_writer (const check *c, const check_sequence *s, unsigned steps,
              check_point p)
{
  for (unsigned i = steps; i-- > 0;)
    if (writes_point (c, s->event[i], p))
      return s->event[i];
  return OMEN_NONE;
}

omen_eid
check_saw (const check *c, omen_eid e, check_point p)
{
  return check_writer (c, &c->base, (unsigned)c->base.step[e], p);
}

/* ---- values, spelt out as text so that equal texts are equal values ---- */
typedef struct spelling {
  char form; /* 0 nothing, b bytes, t token, w whole value */
  char text[64];
} spelling;

static spelling
spell (const check *c, const omen_place *place, check_point p, unsigned kind,
       uint64_t value)
{
  spelling s = { 0, "" };
  bool integer = kind == OMEN_VALUE_INT || kind == OMEN_VALUE_BIG;
  char type = integer ? 'i' : kind == OMEN_VALUE_SYMBOL ? 's' : 'p';
  unsigned long long from = p.at - place->offset;
  if (kind == OMEN_VALUE_NONE)
    return s;
  if (place->size == OMEN_WHOLE) {
    s.form = 'w';
    snprintf (s.text, sizeof s.text, "%c%llu", type, (unsigned long long)value);
  } else if (!integer) {
    s.form = 't';
    snprintf (s.text, sizeof s.text, "%c%llu at %llu", type,
              (unsigned long long)value, from);
  } else if (place->size <= 8) {
    uint64_t end = atom_end (c, p) - place->offset;
    size_t length = 0;
    s.form = 'b';
    for (uint64_t byte = from; byte < end; byte++)
      length
          += (size_t)snprintf (s.text + length, sizeof s.text - length, "%02x ",
                               (unsigned)(value >> (8 * byte) & 0xff));
  }
  return s;
}

static spelling
value_of (const check *c, omen_eid e, check_point p, bool as_writer)
{
  const omen_event *x = check_event (c, e);
  if (x->kind == OMEN_ALLOC || x->kind == OMEN_FREE || x->kind == OMEN_EXTERNAL)
    return (spelling){ 0, "" };
  if (x->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &c->trace->rmws.data[x->value];
    return spell (c, place_of (c, e), p, rmw->value_kind[as_writer],
                  rmw->value[as_writer]);
  }
  return spell (c, place_of (c, e), p, x->value_kind, x->value);
}

static spelling
initial_value (const check *c, check_point p)
{
  spelling s = { 0, "" };
  for (size_t i = 0; i < c->trace->inits.count; i++) {
    const omen_init *init = &c->trace->inits.data[i];
    const omen_place *place = &c->trace->places.data[init->place];
    if (covers (place, p))
      s = spell (c, place, p, init->value_kind, init->value);
  }
  for (unsigned i = 0; i < c->events && !s.form; i++) {
    omen_eid e = c->base.event[i];
    if (reads_point (c, e, p))
      s = value_of (c, e, p, false);
    if (writes_point (c, e, p))
      break;
  }
  return s;
}

int
check_same_value (const check *c, omen_eid e, omen_eid w, check_point p)
{
  spelling mine = value_of (c, e, p, false);
  spelling its
      = w == OMEN_NONE ? initial_value (c, p) : value_of (c, w, p, true);
  if (!mine.form || mine.form != its.form)
    return -1;
  return !strcmp (mine.text, its.text);
}

int
check_same_written (const check *c, omen_eid w, omen_eid x, check_point p)
{
  spelling one = value_of (c, w, p, true), two = value_of (c, x, p, true);
  if (!one.form || one.form != two.form)
    return -1;
  return !strcmp (one.text, two.text);
}

/* ---- rule 5 ---- */
/* In a claim of a lifetime what was read may be an address (section 4). */
static bool
reads_large (const check *c, omen_eid e)
{
  const omen_event *x = check_event (c, e);
  bool rmw = x->kind == OMEN_ATOMIC_RMW;
  unsigned kind
      = rmw ? c->trace->rmws.data[x->value].value_kind[0] : x->value_kind;
  long long value
      = (long long)(rmw ? c->trace->rmws.data[x->value].value[0] : x->value);
  return c->witness->claim.kind == OMEN_CLAIM_LIFETIME
         && (kind == OMEN_VALUE_BIG
             || (kind == OMEN_VALUE_INT && (value > 65535 || value < -65535)));
}

static bool
point_preserved (const check *c, const check_sequence *s, omen_eid e,
                 check_point p)
{
  omen_model_name model = c->witness->model;
  omen_eid w = check_writer (c, s, (unsigned)s->step[e], p);
  bool same = w == check_saw (c, e, p);
  int equal;
  if (w != OMEN_NONE && check_event (c, w)->kind == OMEN_ATOMIC_RMW
      && !check_preserved (c, s, w))
    return false;
  if (model == OMEN_MODEL_RF || model == OMEN_MODEL_LATTICE
      || reads_large (c, e))
    return same;
  equal = check_same_value (c, e, w, p);
  return equal < 0 ? same : equal;
}

bool
check_preserved (const check *c, const check_sequence *s, omen_eid e)
{
  check_points points = { 0 };
  bool all = true;
  check_points_of (c, e, &points);
  for (size_t i = 0; i < points.count; i++)
    all &= point_preserved (c, s, e, points.data[i]);
  OMEN_VEC_FINI (points);
  return all;
}

static bool
has_dependences (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->extras.count; i++)
    if (trace->extras.data[i].reads
        || trace->extras.data[i].branch != OMEN_NONE)
      return true;
  return false;
}

static bool
is_claimed (const check *c, omen_eid e)
{
  for (size_t i = 0; i < c->witness->claim.events.count; i++)
    if (c->witness->claim.events.data[i] == e)
      return true;
  return false;
}

/* Does a relevant e make f relevant? */
static bool
leads_to (const check *c, omen_eid e, omen_eid f)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, f);
  const omen_extra *extra = omen_trace_extra (c->trace, e);
  if (extra && x->thread == y->thread) {
    for (uint32_t i = 0; i < extra->reads; i++)
      if (c->trace->dependences.data[extra->first_read + i]
          == c->trace->index[f])
        return true;
    if (extra->branch == c->trace->index[f])
      return true;
  }
  if (x->kind == OMEN_JOIN && y->thread == x->object
      && omen_kind_reads (y->kind))
    return true;
  if (check_inside (c, f, e))
    return true;
  return omen_kind_reads (x->kind) && omen_kind_writes (y->kind)
         && c->sigma.step[f] != NOWHERE && check_overlap (c, e, f);
}

static void
find_relevant (const check *c, bool relevant[CHECK_EVENTS])
{
  bool more = true;
  for (omen_eid e = 0; e < c->events; e++)
    relevant[e]
        = is_claimed (c, e)
          || (c->sigma.step[e] != NOWHERE
              && omen_kind_class (check_event (c, e)->kind) == OMEN_CLASS_SYNC);
  while (more) {
    more = false;
    for (omen_eid e = 0; e < c->events; e++)
      for (omen_eid f = 0; f < c->events; f++)
        if (relevant[e] && !relevant[f] && leads_to (c, e, f))
          relevant[f] = more = true;
  }
}

/* A later event of its thread in σ, or a claimed one that is next. */
static bool
has_successor (const check *c, omen_eid e)
{
  const omen_event *x = check_event (c, e);
  omen_eid next;
  if (c->trace->index[e] + 1 == c->trace->threads.data[x->thread].count)
    return false;
  next = omen_trace_nth (c->trace, x->thread, c->trace->index[e] + 1);
  return c->sigma.step[next] != NOWHERE || is_claimed (c, next);
}

bool
check_reads (const check *c)
{
  bool relevant[CHECK_EVENTS];
  bool slicing
      = c->witness->model == OMEN_MODEL_SLICED && has_dependences (c->trace);
  if (slicing)
    find_relevant (c, relevant);
  for (unsigned i = 0; i < c->sigma.count; i++) {
    omen_eid e = c->sigma.event[i];
    if (!omen_kind_reads (check_event (c, e)->kind)
        || (c->witness->model != OMEN_MODEL_LATTICE && !has_successor (c, e)))
      continue;
    if ((!slicing || relevant[e]) && !check_preserved (c, &c->sigma, e))
      return false;
  }
  return true;
}

/* ---- lattice ---- */
/* Is the set of write w at p started (`all`: complete) by the first steps? */
static bool
set_is (const check *c, omen_eid w, check_point p, unsigned steps, bool all)
{
  bool every = true, some = false;
  for (omen_eid e = 0; e < c->events; e++) {
    bool in = c->sigma.step[e] != NOWHERE && c->sigma.step[e] < (int)steps;
    if (e != w && !(reads_point (c, e, p) && check_saw (c, e, p) == w))
      continue;
    every &= in;
    some |= in;
  }
  return all ? every : some || w == OMEN_NONE;
}

static bool
step_keeps_sets (const check *c, unsigned step, check_point p)
{
  omen_eid e = c->sigma.event[step];
  bool reads = reads_point (c, e, p), writes = writes_point (c, e, p);
  for (unsigned k = 0; k <= c->events; k++) {
    omen_eid w = k < c->events ? k : OMEN_NONE; /* a write, or the initial */
    if ((w != OMEN_NONE && !writes_point (c, w, p))
        || !set_is (c, w, p, step, false))
      continue;
    if (reads && w != check_saw (c, e, p) && !set_is (c, w, p, step, true))
      return false;
    if (writes && !set_is (c, w, p, step + 1, true))
      return false;
  }
  return true;
}

bool
check_atomic_sets (const check *c)
{
  check_points points = { 0 };
  bool all = true;
  for (unsigned step = 0; step < c->sigma.count; step++) {
    check_points_of (c, c->sigma.event[step], &points);
    for (size_t i = 0; i < points.count; i++)
      all &= step_keeps_sets (c, step, points.data[i]);
  }
  OMEN_VEC_FINI (points);
  return all;
}
