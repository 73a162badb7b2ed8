#include "lifetime.h"
#include "machine.h"
#include "space.h"

#include <string.h>

typedef struct walk {
  machine m;
  facts f;
  space seen;
  event_set uses[ORACLE_EVENTS]; /* by event: what uses what it ends */
  event_set shown[ORACLE_EVENTS];
} walk;

static bool
ends (const facts *f, unsigned e, unsigned a)
{
  return f->kind[e] == OMEN_FREE && f->thread[e] != f->thread[a]
         && HAS (f->accesses, a) && HAS (f->overlaps[e], a)
         && f->kind[a] != OMEN_ALLOC && f->kind[a] != OMEN_EXTERNAL;
}

/* The atom in which a may see of e what it must not, for the k-th of a's. */
static bool
may_see (const facts *f, unsigned e, unsigned a, unsigned k)
{
  const omen_event *write = facts_event (f, e), *read = facts_event (f, a);
  unsigned saw = f->glimpse[f->first_glimpse[a] + k].saw;
  bool nothing = read->value_kind == OMEN_VALUE_NONE
                 || (read->value_kind == OMEN_VALUE_INT && !read->value);
  if (write->mode & OMEN_MODE_GONE && write->kind == OMEN_WRITE)
    return true;
  if (write->kind == OMEN_ALLOC)
    return write->mode & OMEN_MODE_RAW && saw != e;
  return (write->kind == OMEN_WRITE || write->kind == OMEN_ATOMIC_WRITE)
         && write->value_kind == OMEN_VALUE_INT && !write->value
         && read->kind == OMEN_READ && read->mode & OMEN_MODE_FOLLOWED
         && !nothing && write->object == read->object;
}

/* Would a, next in its thread, see it now? */
static bool
sees (const walk *w, const state *s, unsigned e, unsigned a)
{
  const facts *f = &w->f;
  if (f->thread[e] == f->thread[a]
      || (f->kind[a] != OMEN_READ && f->kind[a] != OMEN_ATOMIC_READ))
    return false;
  for (unsigned k = 0; k < f->atoms[a]; k++)
    if (machine_writer (&w->m, s, f->first_atom[a] + k) == e
        && may_see (f, e, a, k))
      return true;
  return false;
}

/* An integer that is no small number. */
static bool
is_large (const facts *f, unsigned e)
{
  const omen_event *event = facts_event (f, e);
  unsigned kind = event->value_kind;
  uint64_t value = event->value;
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &f->trace->rmws.data[event->value];
    kind = rmw->value_kind[0];
    value = rmw->value[0];
  }
  return kind == OMEN_VALUE_BIG
         || (kind == OMEN_VALUE_INT && value + 65535 > 2 * 65535);
}

/* Such reads are to see the write that they saw. */
static void
bind_large (facts *f)
{
  for (unsigned i = 0; i < f->glimpse_count; i++) {
    glimpse *g = &f->glimpse[i];
    if (!is_large (f, g->read))
      continue;
    g->as_value = g->saw == NOBODY ? 0 : ONE (g->saw);
    g->initial_value = g->saw == NOBODY;
  }
}

/* Would a, next in its thread, be led to what e has freed? */
static bool
is_led (const walk *w, const state *s, unsigned e, unsigned a)
{
  const facts *f = &w->f;
  const omen_event *freed = facts_event (f, e), *read = facts_event (f, a);
  const omen_event *write;
  uint64_t start;
  unsigned writer;
  bool remark = read->mode & (OMEN_MODE_FOLLOWED | OMEN_MODE_FREED);
  if (freed->kind != OMEN_FREE || f->thread[e] == f->thread[a]
      || read->kind != OMEN_READ || !remark
      || read->value_kind == OMEN_VALUE_NONE)
    return false;
  start = (uint64_t)f->trace->places.data[freed->object].variable << 32;
  writer = machine_writer (&w->m, s, f->first_atom[a]);
  if (writer >= f->count)
    return false;
  for (unsigned k = 1; k < f->atoms[a]; k++)
    if (machine_writer (&w->m, s, f->first_atom[a] + k) != writer)
      return false;
  write = facts_event (f, writer);
  return (write->kind == OMEN_WRITE || write->kind == OMEN_ATOMIC_WRITE)
         && write->object == read->object
         && write->value_kind == OMEN_VALUE_POINTER && write->value == start
         && !(read->value_kind == OMEN_VALUE_POINTER
              && read->value >> 32 == start >> 32);
}

static void
look (walk *w, const state *s)
{
  const facts *f = &w->f;
  for (unsigned t = 0; t < f->threads; t++) {
    unsigned a = machine_next (&w->m, s, t);
    if (a == NOBODY || !machine_follows (&w->m, s, a)
        || !machine_enabled (&w->m, s, a))
      continue;
    for (unsigned e = 0; e < f->count; e++)
      if (HAS (s->CUT, e) && !HAS (w->shown[e], a)
          && (HAS (w->uses[e], a) || sees (w, s, e, a) || is_led (w, s, e, a))
          && machine_sound (&w->m, s, ONE (e) | ONE (a)))
        w->shown[e] |= ONE (a);
  }
}

static void
take_steps (walk *w, uint32_t at, const state *s)
{
  state to;
  bool fresh;
  for (unsigned t = 0; t < w->f.threads; t++) {
    unsigned e = machine_next (&w->m, s, t);
    if (e != NOBODY && machine_follows (&w->m, s, e)
        && machine_enabled (&w->m, s, e) && machine_step (&w->m, s, e, &to))
      space_add (&w->seen, to.word, at, e, &fresh);
  }
}

bool
oracle_lifetimes (const omen_trace *trace, omen_model_name model,
                  oracle_claims *claims, omen_err *err)
{
  static walk w; /* large */
  state s;
  bool fresh;
  memset (&w, 0, sizeof w);
  if (!facts_read (&w.f, trace, err))
    return false;
  bind_large (&w.f);
  for (unsigned e = 0; e < w.f.count; e++)
    for (unsigned a = 0; a < w.f.count; a++)
      if (ends (&w.f, e, a))
        w.uses[e] |= ONE (a);
  machine_init (&w.m, &w.f, model);
  space_init (&w.seen, w.m.words);
  machine_start (&w.m, &s);
  space_add (&w.seen, s.word, OMEN_NONE, 0, &fresh);
  for (uint32_t i = 0; i < w.seen.count; i++) {
    memcpy (s.word, space_at (&w.seen, i), w.m.words * sizeof *s.word);
    look (&w, &s);
    take_steps (&w, i, &s);
  }
  space_fini (&w.seen);
  for (unsigned e = 0; e < w.f.count; e++)
    for (unsigned a = 0; a < w.f.count; a++)
      if (HAS (w.shown[e], a))
        OMEN_VEC_PUSH (*claims,
                       ((oracle_claim){ OMEN_CLAIM_LIFETIME, 0, 2, { e, a } }));
  return true;
}
