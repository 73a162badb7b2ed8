/* Must-happen-before where at least m of several candidates must come first,
   and any m will do: the event comes after what every such choice needs.

     T1 up(s)     T2 up(s)     T3 down(s)    count 0 at the start: the down
                                             comes after what both ups have in
                                             common, e.g. the fork of T1 and T2

   For each thread, that is the m-th smallest of the candidates' clocks. Lists
   of more than MOST candidates are skipped: they have little in common. */
#include "model/model_walk.h"

#define MOST 64

typedef struct choice {
  omen_model_walk *w;
  omen_eid event;
  omen_eid candidates[MOST];
  unsigned count;
} choice;

/* Is a known to come before the event being walked? */
static bool
is_known_before (const choice *c, omen_eid a)
{
  const omen_model_walk *w = c->w;
  omen_tid t = w->trace->events.data[a].thread;
  if (t == w->trace->events.data[c->event].thread)
    return w->trace->index[a] < w->trace->index[c->event];
  return w->trace->index[a] < w->clocks.work[t];
}

/* Is a known to come before b? */
static bool
known_before (const omen_model_walk *w, omen_eid a, omen_eid b)
{
  omen_tid t = w->trace->events.data[a].thread;
  if (t == w->trace->events.data[b].thread)
    return w->trace->index[a] < w->trace->index[b];
  return w->trace->index[a] < omen_clocks_get (&w->clocks, w->clock[b], t);
}

static void
offer (choice *c, omen_eid a)
{
  OMEN_ASSERT (c->count < MOST);
  c->candidates[c->count++] = a;
}

/* How many events of t must have happened when candidate a has. */
static uint32_t
need (const omen_model_walk *w, omen_eid a, omen_tid t)
{
  return w->trace->events.data[a].thread == t
             ? w->trace->index[a] + 1
             : omen_clocks_get (&w->clocks, w->clock[a], t);
}

/* The m-th smallest need of thread t (m from 1), by insertion. */
static uint32_t
smallest (const choice *c, omen_tid t, unsigned m)
{
  uint32_t sorted[MOST];
  OMEN_ASSERT (m && m <= c->count);
  for (unsigned i = 0; i < c->count; i++) {
    uint32_t n = need (c->w, c->candidates[i], t);
    unsigned k = i;
    for (; k && sorted[k - 1] > n; k--)
      sorted[k] = sorted[k - 1];
    sorted[k] = n;
  }
  return sorted[m - 1];
}

/* The event comes after at least m of the candidates. */
static void
join_common (const choice *c, unsigned m)
{
  uint32_t own = c->w->trace->events.data[c->event].thread;
  c->w->chose = true;
  OMEN_ASSERT (m <= c->count); /* the trace itself has them */
  if (!m)
    return;
  for (omen_tid t = 0; t < c->w->model->thread_count; t++)
    if (t != own)
      omen_clocks_raise (&c->w->clocks, t, smallest (c, t, m));
}

/* A return comes after one of the notifies not known to precede its wait. */
static void
join_notify (omen_model_walk *w, omen_eid e, const omen_wait *wait)
{
  const omen_model *model = w->model;
  choice c = { .w = w, .event = e };
  uint32_t first = model->condition_notifies[wait->condition];
  uint32_t end = model->condition_notifies[wait->condition + 1];
  if (end - first > MOST)
    return;
  for (uint32_t i = first; i < end; i++) {
    omen_eid n = model->notifies[i];
    if (n != e && !known_before (w, n, wait->wait) && !known_before (w, e, n))
      offer (&c, n);
  }
  join_common (&c, 1);
}

/* If this down and those before it exceed `start`, as many ups come first;
   before a failed down, there are downs that use the count up. */
static void
join_count (omen_model_walk *w, omen_eid e)
{
  const omen_model *model = w->model;
  const omen_semaphore *s = &model->semaphores[model->at[e]];
  bool down = w->trace->events.data[e].kind == OMEN_SEM_DOWN;
  unsigned serves = down ? OMEN_SEM_UP : OMEN_SEM_DOWN;
  unsigned spoils = down ? OMEN_SEM_DOWN : OMEN_SEM_UP;
  uint64_t against = down;
  choice c = { .w = w, .event = e };
  if (s[1].first - s->first > MOST)
    return;
  for (uint32_t i = s->first; i < s[1].first; i++) {
    omen_eid op = model->sem_ops[i];
    unsigned kind = w->trace->events.data[op].kind;
    if (kind == serves && op != e && !known_before (w, e, op))
      offer (&c, op);
    against += kind == spoils && op != e && is_known_before (&c, op);
  }
  if (down && against > s->start)
    join_common (&c, (unsigned)(against - s->start));
  else if (!down && against + s->start <= MOST)
    join_common (&c, (unsigned)against + s->start);
}

/* A failed try comes after the acquire of a section that may still be open
   then, unless its own thread holds the lock. */
static void
join_holder (omen_model_walk *w, omen_eid e)
{
  const omen_model *model = w->model;
  const omen_event *event = &w->trace->events.data[e];
  bool any = event->kind == OMEN_TRY_FAIL;
  uint32_t first = model->lock_sections[event->object];
  uint32_t end = model->lock_sections[event->object + 1];
  uint32_t own = omen_model_holds (model, e, event->object);
  choice c = { .w = w, .event = e };
  if (model->irregular[event->object] || end - first > MOST
      || (own != OMEN_NONE
          && (any || model->sections[own].mode == OMEN_LOCK_WRITE)))
    return;
  for (uint32_t i = first; i < end; i++) {
    const omen_section *s = &model->sections[i];
    if (s->thread != event->thread && (any || s->mode == OMEN_LOCK_WRITE)
        && !known_before (w, e, s->acquire)
        && (s->release == OMEN_NONE || !is_known_before (&c, s->release)))
      offer (&c, s->acquire);
  }
  join_common (&c, 1);
}

void
omen_walk_choices (omen_model_walk *w, omen_eid e)
{
  const omen_event *event = &w->trace->events.data[e];
  if (w->waiting[event->thread]) {
    const omen_wait *wait
        = &w->model->waits[omen_model_return_of (w->model, e)];
    OMEN_ASSERT (wait->back == e);
    if (wait->needs)
      join_notify (w, e, wait);
  }
  if (event->kind == OMEN_SEM_DOWN || event->kind == OMEN_SEM_FAIL)
    join_count (w, e);
  else if (event->kind == OMEN_TRY_FAIL || event->kind == OMEN_READ_TRY_FAIL)
    join_holder (w, e);
}
