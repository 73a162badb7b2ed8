#include "explore/steps.h"

/* ---- what is shared ---- */

/* More than one thread uses it, and one of them writes. */
static void
find_shared (omen_steps *s)
{
  const omen_model *m = s->model;
  for (uint32_t a = 0; a < m->atom_count; a++) {
    bool several = m->atoms[a + 1].first_cell - m->atoms[a].first_cell > 1;
    bool written = false;
    for (uint32_t c = m->atoms[a].first_cell;
         several && c < m->atoms[a + 1].first_cell; c++)
      written |= m->cells[c].first_read > m->cells[c].first_write;
    s->shared[a] = several && written;
  }
}

static bool
touches_shared (const omen_steps *s, omen_eid e)
{
  omen_span span = omen_model_atoms (s->model, e);
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    if (s->shared[a])
      return true;
  return false;
}

/* The read of an object that an operation on it begins with (one item). */
static bool
is_use (const omen_steps *s, omen_eid e)
{
  const omen_trace *trace = s->model->trace;
  omen_eid next = omen_model_next (s->model, e);
  return omen_model_event (s->model, e)->kind == OMEN_ATOMIC_READ
         && next != OMEN_NONE && trace->items.count
         && trace->items.data[e] == trace->items.data[next]
         && omen_kind_class (omen_model_event (s->model, next)->kind)
                == OMEN_CLASS_SYNC;
}

/* Operations on locks that nest, or do not exclude anybody. */
static bool
is_section (const omen_steps *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  return s->model->irregular[event->object] || s->model->at[e] != OMEN_NONE;
}

static bool
is_step (omen_steps *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
    return is_section (s, e);
  case OMEN_FENCE:
  case OMEN_REQUEST:
  case OMEN_LOCK_FAIL:
    return false;
  default:
    break;
  }
  if (omen_kind_class (event->kind) == OMEN_CLASS_SYNC)
    return true;
  if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS
      || !touches_shared (s, e))
    return false;
  if (!is_use (s, e))
    return true;
  s->limits |= OMEN_LIMITED_INIT;
  return false;
}

/* ---- limits ---- */

static void
look_for_limits (omen_steps *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  const omen_model *m = s->model;
  switch (event->kind) {
  case OMEN_HAPPENS_AFTER:
    for (uint32_t i = m->object_ops[event->object];
         i < m->object_ops[event->object + 1]; i++)
      if (omen_model_thread (m, m->hb_ops[i]) != event->thread)
        s->limits |= OMEN_LIMITED_ORDER;
    break;
  case OMEN_EXTERNAL:
    s->limits |= touches_shared (s, e) ? OMEN_LIMITED_ORDER : 0;
    break;
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    s->limits |= m->irregular[event->object] ? OMEN_LIMITED_ORDER : 0;
    break;
  default:
    break;
  }
}

/* ---- steps ---- */

static void
push_step (omen_steps *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  omen_run_step step = { .event = e,
                         .kind = event->kind,
                         .object = event->object,
                         .before = s->histories->before[e] };
  OMEN_VEC_PUSH (s->steps, step);
}

/* The thread waits here, with nothing after it. */
static bool
push_pending (omen_steps *s, omen_eid last)
{
  const omen_event *event = omen_model_event (s->model, last);
  omen_run_step step = { .event = last,
                         .object = event->object,
                         .pending = true,
                         .before = s->histories->all[event->thread] };
  switch (event->kind) {
  case OMEN_REQUEST:
    step.kind = OMEN_ACQUIRE;
    break;
  case OMEN_SEM_REQUEST:
    step.kind = OMEN_SEM_DOWN;
    break;
  case OMEN_JOIN_REQUEST:
    step.kind = OMEN_JOIN;
    break;
  case OMEN_WAIT:
    step.kind = OMEN_WAKE;
    break;
  case OMEN_ARRIVE:
    step.kind = OMEN_DEPART;
    break;
  default:
    return false;
  }
  OMEN_VEC_PUSH (s->steps, step);
  return true;
}

/* Main ends with the process, unless another thread ended that. */
static bool
has_ended (const omen_steps *s, omen_tid t, bool stuck, omen_eid last)
{
  const omen_model *m = s->model;
  const omen_interrupt *death = &m->trace->death;
  return stuck || m->thread_joins[t] < m->thread_joins[t + 1]
         || (last != OMEN_NONE
             && omen_model_event (m, last)->kind == OMEN_ENDED)
         || (t == 0 && death->thread == OMEN_NONE);
}

static void
make_thread (omen_steps *s, omen_tid t, bool stuck)
{
  const omen_trace *trace = s->model->trace;
  const omen_thread *thread = &trace->threads.data[t];
  omen_steps_thread *own = &s->threads[t];
  omen_eid last = OMEN_NONE;
  own->first = (uint32_t)s->steps.count;
  own->parent = OMEN_NONE;
  if (thread->forked_by != OMEN_NONE) {
    own->parent = omen_model_thread (s->model, thread->forked_by);
    own->fork_index = trace->index[thread->forked_by];
  }
  for (uint32_t i = 0; i < thread->count; i++) {
    uint32_t group
        = omen_history_getvalue (s->model, last = omen_trace_nth (trace, t, i));
    look_for_limits (s, last);
    if (!is_step (s, last))
      continue;
    push_step (s, last);
    if (group) {
      OMEN_VEC_LAST (s->steps).value = group;
      OMEN_VEC_LAST (s->steps).getvalue = true;
      i += 2 * group - 1;
    }
  }
  own->finish = last != OMEN_NONE && push_pending (s, last)
                    ? OMEN_FINISH_WAITING
                : has_ended (s, t, stuck, last) ? OMEN_FINISH_ENDED
                                                : OMEN_FINISH_CUT;
  own->count = (uint32_t)s->steps.count - own->first;
}

omen_steps *
omen_steps_new (const omen_model *m, const omen_histories *histories)
{
  omen_steps *s = omen_zalloc (1, sizeof *s);
  bool stuck = omen_trace_is_stuck (m->trace);
  s->model = m;
  s->histories = histories;
  s->limits = histories->spins ? OMEN_LIMITED_SPIN : 0;
  s->shared = omen_zalloc (m->atom_count + 1, 1);
  s->threads = omen_zalloc (m->thread_count + 1, sizeof *s->threads);
  find_shared (s);
  for (omen_tid t = 0; t < m->thread_count; t++) {
    make_thread (s, t, stuck);
    if (s->threads[t].finish == OMEN_FINISH_CUT && t != m->trace->death.thread)
      s->limits |= OMEN_LIMITED_CUT;
  }
  return s;
}

void
omen_steps_free (omen_steps *s)
{
  if (!s)
    return;
  OMEN_VEC_FINI (s->steps);
  omen_free (s->threads);
  omen_free (s->shared);
  omen_free (s);
}

omen_observed
omen_steps_past (const omen_steps *s, omen_tid t, uint32_t taken)
{
  const omen_steps_thread *thread = &s->threads[t];
  return taken < thread->count ? s->steps.data[thread->first + taken].before
                               : s->histories->all[t];
}
