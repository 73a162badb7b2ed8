#include "predict/race/weak_reads.h"

#include <string.h>

#define MOST 50000000u /* limit of pairs of a read and a write examined */

/* ---- which they are ---- */

typedef struct sorting {
  const omen_model *model;
  bool rf;
  uint8_t *weak;   /* by event */
  uint64_t pairs;  /* examined so far */
  omen_ids writes; /* of the atom: a wait in a loop has few of these */
} sorting;

/* Does a read that sees this write synchronise with it in every run? */
static bool
synchronises (const omen_event *write, const omen_event *read)
{
  if (write->kind == OMEN_ALLOC || write->kind == OMEN_EXTERNAL)
    return true; /* ordered with all accesses by the rules */
  if (!omen_kind_atomic (read->kind))
    return write->kind == OMEN_WRITE;
  return omen_kind_atomic (write->kind) && omen_order_releases (write->order)
         && omen_order_acquires (read->order);
}

static bool
may_see (const sorting *s, omen_eid r, omen_eid w, uint32_t atom)
{
  return s->rf ? omen_model_same_write (s->model, r, w, atom)
               : omen_model_same_value (s->model, r, w, atom);
}

static bool
is_weak (sorting *s, omen_eid r, uint32_t atom)
{
  const omen_model *m = s->model;
  for (size_t i = 0; i < s->writes.count; i++) {
    omen_eid w = s->writes.data[i];
    const omen_event *write = omen_model_event (m, w);
    if (write->thread != omen_model_thread (m, r)
        && !synchronises (write, omen_model_event (m, r))
        && may_see (s, r, w, atom) && !omen_model_must_before (m, w, r))
      return true;
  }
  return false;
}

/* Are all accesses of the atom plain? */
static bool
is_plain (const omen_model *m, uint32_t atom)
{
  for (uint32_t i = m->atoms[atom].first; i < m->atoms[atom + 1].first; i++) {
    unsigned kind = omen_model_event (m, m->accesses[i])->kind;
    if (omen_kind_atomic (kind) || kind == OMEN_FREE)
      return false;
  }
  return true;
}

static void
find_writes (sorting *s, uint32_t atom)
{
  const omen_model *m = s->model;
  OMEN_VEC_CLEAR (s->writes);
  for (uint32_t i = m->atoms[atom].first; i < m->atoms[atom + 1].first; i++)
    if (omen_kind_writes (omen_model_event (m, m->accesses[i])->kind))
      OMEN_VEC_PUSH (s->writes, m->accesses[i]);
}

/* Mark weak reads; false if there are too many pairs to examine. */
static bool
find_weak (sorting *s)
{
  const omen_model *m = s->model;
  for (uint32_t a = 0; a < m->atom_count; a++) {
    if (is_plain (m, a))
      continue;
    find_writes (s, a);
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++) {
      omen_eid r = m->accesses[i];
      if (s->weak[r] || !omen_kind_reads (omen_model_event (m, r)->kind))
        continue;
      s->pairs += s->writes.count;
      if (s->pairs > MOST)
        return false;
      s->weak[r] = is_weak (s, r, a);
    }
  }
  return true;
}

/* ---- the trace without them ---- */

/* When the read is removed, keep the value that it shows for the initial state
   as an init line. False: only some of its atoms saw initial values. */
static bool
keep_initial (omen_trace *trace, const omen_model *m, omen_eid r)
{
  const omen_event *event = omen_model_event (m, r);
  omen_span span = m->place_atoms[event->object];
  uint32_t initial = 0;
  for (uint32_t i = 0; i < span.count; i++)
    initial += m->from[m->at[r] + i] == OMEN_NONE;
  if (initial != span.count)
    return !initial;
  omen_init init = { event->object, event->value_kind, event->value };
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &m->trace->rmws.data[event->value];
    init.value_kind = rmw->value_kind[0];
    init.value = rmw->value[0];
  }
  if (init.value_kind != OMEN_VALUE_NONE)
    OMEN_VEC_PUSH (trace->inits, init);
  return true;
}

static void
take_read_away (omen_weak_reads *weak, const omen_trace *old, omen_eid r)
{
  omen_event *event = &weak->trace.events.data[r];
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &old->rmws.data[event->value];
    event->kind = OMEN_ATOMIC_WRITE;
    event->order = OMEN_ORDER_SC;
    event->value_kind = rmw->value_kind[1];
    event->value = rmw->value[1];
    return;
  }
  event->kind = OMEN_BRANCH;
  event->object = OMEN_NONE;
  weak->gone[r] = 1;
}

static void
copy_trace (omen_trace *trace, const omen_trace *old)
{
  *trace = *old;
  memset (&trace->events, 0, sizeof trace->events);
  memset (&trace->inits, 0, sizeof trace->inits);
  memset (&trace->extras, 0, sizeof trace->extras); /* no dependences */
  for (size_t e = 0; e < old->events.count; e++)
    OMEN_VEC_PUSH (trace->events, old->events.data[e]);
  for (size_t i = 0; i < old->inits.count; i++)
    OMEN_VEC_PUSH (trace->inits, old->inits.data[i]);
}

bool
omen_weak_reads_init (omen_weak_reads *weak, const omen_model *model, bool rf)
{
  uint32_t events = model->event_count;
  sorting s
      = { .model = model, .rf = rf, .weak = omen_zalloc (events + 1u, 1) };
  omen_err err = { 0 };
  bool known = find_weak (&s);
  weak->gone = omen_zalloc (events + 1u, 1);
  copy_trace (&weak->trace, model->trace);
  for (omen_eid e = 0; e < events && known; e++)
    if (s.weak[e]) {
      known = keep_initial (&weak->trace, model, e);
      take_read_away (weak, model->trace, e);
    }
  omen_free (s.weak);
  OMEN_VEC_FINI (s.writes);
  weak->model = known ? omen_model_new (&weak->trace, &err) : NULL;
  if (!weak->model)
    omen_weak_reads_fini (weak);
  return weak->model;
}

void
omen_weak_reads_fini (omen_weak_reads *weak)
{
  omen_model_free (weak->model);
  OMEN_VEC_FINI (weak->trace.events);
  OMEN_VEC_FINI (weak->trace.inits);
  omen_free (weak->gone);
  *weak = (omen_weak_reads){ 0 };
}
