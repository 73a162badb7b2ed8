/* Which events are steps of the lattice, and how the others get back into a
   path (doc/semantics.md, "Cuts and runs"). An event that is no step needs only
   thread order, and its thread's next step needs that too (clocks are
   transitive); so it can always be taken just before that step. */
#include "model/lattice.h"

#include <stdlib.h>
#include <string.h>

/* ---- roles ---- */

/* May other events depend on it by more than the order of threads? */
static bool
is_waited_for (unsigned kind)
{
  switch (kind) {
  case OMEN_ALLOC: /* always the first of its variable, like an initial write */
  case OMEN_FORK:
  case OMEN_JOIN:
  case OMEN_REQUEST:
  case OMEN_LOCK_FAIL:
  case OMEN_FENCE:
    return false;
  default:
    return omen_kind_class (kind) != OMEN_CLASS_MARK;
  }
}

/* The only thread with events that is not forked, or OMEN_NONE. */
static omen_tid
find_main (const omen_trace *trace)
{
  omen_tid found = OMEN_NONE;
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    const omen_thread *thread = &trace->threads.data[t];
    if (!thread->count || thread->forked_by != OMEN_NONE)
      continue;
    if (found != OMEN_NONE)
      return OMEN_NONE;
    found = t;
  }
  return found;
}

/* The thread has ended, and so have all that it joined; `left` counts those
   that have not. */
static void
end_thread (const omen_trace *trace, omen_tid first, uint8_t *ended,
            uint32_t *left)
{
  omen_ids open = { 0 };
  OMEN_VEC_PUSH (open, first);
  while (open.count) {
    omen_tid t = open.data[--open.count];
    const omen_thread *thread = &trace->threads.data[t];
    if (ended[t])
      continue;
    ended[t] = 1;
    *left -= thread->count > 0;
    for (uint32_t i = 0; i < thread->count; i++) {
      const omen_event *event
          = &trace->events.data[omen_trace_nth (trace, t, i)];
      if (event->kind == OMEN_JOIN)
        OMEN_VEC_PUSH (open, event->object);
    }
  }
  OMEN_VEC_FINI (open);
}

/* Mark main's events before the first fork, and after the end of all others. */
static void
mark_outside (omen_lattice *plan)
{
  const omen_trace *trace = plan->model->trace;
  omen_tid main = find_main (trace);
  uint8_t *ended = omen_zalloc (trace->threads.count + 1, 1);
  uint32_t left = 0;
  bool forked = false;
  for (omen_tid t = 0; main != OMEN_NONE && t < trace->threads.count; t++)
    left += t != main && trace->threads.data[t].count;
  for (uint32_t i = 0; main != OMEN_NONE && i < trace->threads.data[main].count;
       i++) {
    omen_eid e = omen_trace_nth (trace, main, i);
    const omen_event *event = &trace->events.data[e];
    if (!forked)
      plan->role[e] |= OMEN_ROLE_BEFORE;
    else if (!left)
      plan->role[e] |= OMEN_ROLE_AFTER;
    forked |= event->kind == OMEN_FORK;
    if (event->kind == OMEN_JOIN)
      end_thread (trace, event->object, ended, &left);
  }
  omen_free (ended);
}

static void
mark_steps (omen_lattice *plan, const uint8_t *spoken)
{
  const omen_model *m = plan->model;
  for (omen_eid e = 0; e < m->event_count; e++)
    if ((spoken && spoken[e])
        || (!plan->role[e] && is_waited_for (omen_model_event (m, e)->kind)))
      plan->role[e] |= OMEN_ROLE_STEP;
  for (uint32_t i = 0; i < m->wait_count; i++) {
    omen_eid back = m->waits[i].back;
    if (m->waits[i].needs && back != OMEN_NONE && !plan->role[back])
      plan->role[back] |= OMEN_ROLE_STEP;
  }
}

void
omen_lattice_number (omen_lattice *plan, const uint8_t *spoken)
{
  const omen_model *m = plan->model;
  const omen_trace *trace = m->trace;
  uint32_t at = 0, level = 0;
  plan->role = omen_zalloc (m->event_count + 1, sizeof *plan->role);
  plan->among = omen_alloc ((m->event_count + 1) * sizeof *plan->among);
  plan->steps = omen_zalloc (m->event_count + 1, sizeof *plan->steps);
  plan->observed = omen_alloc ((m->event_count + 1) * sizeof *plan->observed);
  mark_outside (plan);
  mark_steps (plan, spoken);
  for (omen_tid t = 0; t < plan->threads; t++) {
    plan->first_step[t] = at;
    for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
      omen_eid e = omen_trace_nth (trace, t, i);
      if (plan->role[e] & OMEN_ROLE_STEP)
        plan->steps[at++].event = e;
      plan->among[trace->threads.data[t].first + i] = at - plan->first_step[t];
    }
  }
  plan->first_step[plan->threads] = plan->step_count = at;
  for (uint32_t i = 0; i < m->event_count; i++)
    if (plan->role[omen_model_nth (m, i)] & OMEN_ROLE_STEP)
      plan->observed[level++] = omen_model_nth (m, i);
  OMEN_ASSERT (level == at);
}

/* ---- paths with everything in them ---- */

typedef struct filler {
  const omen_lattice *plan;
  uint32_t *done;    /* by thread: events in the path so far */
  uint64_t *missing; /* (position, event) */
  size_t count, room;
  omen_ids *out;
} filler;

static void
miss (filler *f, omen_tid t, uint32_t end)
{
  const omen_model *m = f->plan->model;
  for (; f->done[t] < end; f->done[t]++) {
    omen_eid e = omen_trace_nth (m->trace, t, f->done[t]);
    OMEN_ASSERT (!(f->plan->role[e] & OMEN_ROLE_STEP));
    if (f->count == f->room) {
      f->room = 2 * f->room + 16;
      f->missing = omen_realloc (f->missing, f->room * sizeof *f->missing);
    }
    f->missing[f->count++] = OMEN_PAIR (omen_model_position (m, e), e);
  }
}

/* Append what must come before e and is missing, in trace order. */
static void
bring (filler *f, omen_eid e)
{
  const omen_model *m = f->plan->model;
  omen_eid previous = omen_model_previous (m, e);
  omen_tid own = omen_model_thread (m, e);
  bool news = previous == OMEN_NONE || m->clock[previous] != m->clock[e]
              || f->done[own] < m->trace->index[e];
  f->count = 0;
  for (omen_tid t = 0; news && t < m->thread_count; t++)
    miss (f, t, t == own ? m->trace->index[e] : omen_model_before (m, e, t));
  if (f->count)
    qsort (f->missing, f->count, sizeof *f->missing, omen_compare_u64);
  for (size_t i = 0; i < f->count; i++)
    OMEN_VEC_PUSH (*f->out, (omen_eid)f->missing[i]);
}

static void
filler_init (filler *f, const omen_lattice *plan, omen_ids *out)
{
  *f = (filler){ .plan = plan, .out = out };
  f->done = omen_zalloc (plan->threads + 1, sizeof *f->done);
}

static void
filler_fini (filler *f)
{
  omen_free (f->done);
  omen_free (f->missing);
}

void
omen_lattice_fill (const omen_lattice *plan, omen_ids *events)
{
  const omen_model *m = plan->model;
  omen_ids out = { 0 };
  filler f;
  filler_init (&f, plan, &out);
  for (size_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i];
    bring (&f, e);
    OMEN_VEC_PUSH (out, e);
    f.done[omen_model_thread (m, e)] = m->trace->index[e] + 1;
  }
  filler_fini (&f);
  OMEN_VEC_FINI (*events);
  *events = out;
}

void
omen_lattice_lead (const omen_lattice *plan, const omen_eid *claimed,
                   uint32_t count, omen_ids *events)
{
  const omen_model *m = plan->model;
  filler f;
  filler_init (&f, plan, events);
  for (size_t i = 0; i < events->count; i++)
    f.done[omen_model_thread (m, events->data[i])]
        = m->trace->index[events->data[i]] + 1;
  for (uint32_t i = 0; i < count; i++)
    bring (&f, claimed[i]);
  filler_fini (&f);
}
