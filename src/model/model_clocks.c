/* Must-happen-before: what rules 1 to 4 force in every reordering that has the
   later event (doc/semantics.md, section 3), as vector clocks.

   One walk in trace order, which obeys the rules: what must come before an
   event is walked before it. A thread's clock changes only where it joins that
   of another thread. Where one of several events must come before (a notify for
   a return, an up for a down, a holder for a failed try), the clock joins what
   all of them have in common (model_choices.c); some of them may lie ahead, so
   for small traces the walk is repeated while clocks change. Sections of a lock
   add what exclusion forces (model_exclusion.c). */
#include "model/model_walk.h"

/* ---- joining events ---- */

/* Join event a and all that must come before it into the work clock. */
void
omen_walk_include (omen_model_walk *w, omen_eid a)
{
  omen_tid t = w->trace->events.data[a].thread;
  uint32_t count = w->trace->index[a] + 1;
  OMEN_ASSERT (a < w->model->event_count);
  if (w->clocks.work[t] >= count)
    return;
  omen_clocks_join (&w->clocks, w->clock[a]);
  omen_clocks_raise (&w->clocks, t, count);
}

static void
join_event (omen_model_walk *w, omen_eid a)
{
  if (a != OMEN_NONE)
    omen_walk_include (w, a);
}

static void
join_fork (omen_model_walk *w, omen_tid child)
{
  join_event (w, w->trace->threads.data[child].forked_by);
}

static void
join_thread (omen_model_walk *w, omen_tid child)
{
  uint32_t count = w->trace->threads.data[child].count;
  join_fork (w, child);
  if (count)
    omen_walk_include (w, omen_trace_nth (w->trace, child, count - 1));
}

/* Every hb(o) so far; the join of those before the last ha(o) is cached. */
static void
join_object (omen_model_walk *w, uint32_t o, omen_cid own)
{
  omen_walk_object *object = &w->objects[o];
  uint32_t end = w->model->object_ops[o] + object->seen;
  OMEN_ASSERT (end <= w->model->object_ops[o + 1]);
  omen_clocks_load (&w->clocks, object->joined);
  for (uint32_t i = w->model->object_ops[o] + object->merged; i < end; i++) {
    omen_eid e = w->model->hb_ops[i];
    if (w->trace->events.data[e].kind == OMEN_HAPPENS_BEFORE)
      omen_walk_include (w, e);
  }
  object->merged = object->seen;
  object->joined = omen_clocks_store (&w->clocks, &object->joined, 1);
  omen_clocks_join (&w->clocks, own);
}

/* The clock of a complete round: the join of all its arrivals. */
static void
close_round (omen_model_walk *w, uint32_t r)
{
  const omen_round *round = &w->model->rounds[r];
  OMEN_ASSERT (round[1].first_arrive - round->first_arrive == round->size);
  omen_clocks_load (&w->clocks, 0);
  for (uint32_t i = round->first_arrive; i < round[1].first_arrive; i++)
    omen_walk_include (w, w->model->arrives[i]);
  w->rounds[r] = omen_clocks_store (&w->clocks, NULL, 0);
}

static void
join_arrivals (omen_model_walk *w, uint32_t round)
{
  OMEN_ASSERT (round < w->model->round_count && w->rounds[round]);
  omen_clocks_join (&w->clocks, w->rounds[round]);
}

/* A seminit comes after all operations on the semaphore before it, and before
   all that follow. */
static void
join_semaphore (omen_model_walk *w, omen_eid e)
{
  const omen_semaphore *s = &w->model->semaphores[w->model->at[e]];
  OMEN_ASSERT (s->semaphore == w->trace->events.data[e].object);
  if (s->init != e) {
    join_event (w, s->init);
    return;
  }
  OMEN_ASSERT (s[-1].semaphore == s->semaphore);
  join_event (w, s[-1].init);
  for (uint32_t i = s[-1].first; i < s->first; i++)
    omen_walk_include (w, w->model->sem_ops[i]);
}

/* An ext comes after every access to its atoms since the last ext there; other
   accesses come after that ext. */
static void
join_external (omen_model_walk *w, omen_eid e)
{
  omen_span span = omen_model_atoms (w->model, e);
  bool external = w->trace->events.data[e].kind == OMEN_EXTERNAL;
  for (uint32_t a = span.first; a < span.first + span.count; a++) {
    uint32_t rank = w->model->rank[omen_model_read_slot (w->model, e, a)];
    OMEN_ASSERT (w->model->accesses[rank] == e);
    join_event (w, w->externals[a]);
    if (!external)
      continue;
    for (uint32_t i = rank; i > w->model->atoms[a].first; i--) {
      omen_eid before = w->model->accesses[i - 1];
      if (before == w->externals[a])
        break;
      omen_walk_include (w, before);
    }
    w->externals[a] = e;
  }
}

static void
join_access (omen_model_walk *w, omen_eid e)
{
  const omen_event *event = &w->trace->events.data[e];
  unsigned flags = w->places[event->object];
  omen_vid v = w->trace->places.data[event->object].variable;
  if (flags & OMEN_PLACE_ALLOCATED && w->model->alloc_of[v] != e)
    omen_walk_include (w, w->model->alloc_of[v]);
  if (flags & OMEN_PLACE_EXTERNAL)
    join_external (w, e);
}

/* ---- which events join ---- */

static omen_lid
lock_of (const omen_event *event)
{
  if (event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
    return (omen_lid)event->value;
  return event->kind >= OMEN_ACQUIRE && event->kind <= OMEN_READ_TRY_FAIL
                 && event->kind != OMEN_REQUEST
             ? event->object
             : OMEN_NONE;
}

static void
join_lock (omen_model_walk *w, omen_eid e)
{
  omen_lid lock = lock_of (&w->trace->events.data[e]);
  if (lock == OMEN_NONE || !w->model->irregular[lock])
    return;
  OMEN_ASSERT (w->last_op[lock] == OMEN_NONE || w->last_op[lock] != e);
  join_event (w, w->last_op[lock]);
  w->last_op[lock] = e;
}

/* Join what the event must come after by its kind; the work clock is loaded. */
static void
join_sync (omen_model_walk *w, omen_eid e, omen_cid own)
{
  const omen_event *event = &w->trace->events.data[e];
  uint32_t at = w->model->at[e];
  switch (event->kind) {
  case OMEN_JOIN:
    join_thread (w, event->object);
    break;
  case OMEN_HAPPENS_AFTER:
    join_object (w, event->object, own);
    break;
  case OMEN_ARRIVE:
    if (at > w->model->barrier_rounds[event->object])
      join_arrivals (w, at - 1);
    break;
  case OMEN_DEPART:
    join_arrivals (w, at);
    break;
  case OMEN_SEM_INIT:
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
    join_semaphore (w, e);
    break;
  default:
    join_lock (w, e);
  }
}

/* Is the alloc of the place all that must come before, and in the clock
   already? */
static bool
knows_alloc (const omen_model_walk *w, omen_eid e)
{
  const omen_event *event = &w->trace->events.data[e];
  omen_vid v = w->trace->places.data[event->object].variable;
  omen_eid alloc = w->model->alloc_of[v];
  omen_tid t;
  if (w->places[event->object] != OMEN_PLACE_ALLOCATED)
    return false;
  t = w->trace->events.data[alloc].thread;
  return t == event->thread
         || w->trace->index[alloc]
                < omen_clocks_get (&w->clocks, w->own[event->thread], t);
}

/* May e change its thread's clock? First events, returns and most
   synchronisation may; accesses only to allocated memory and where there is an
   ext. */
static bool
may_join (const omen_model_walk *w, omen_eid e)
{
  const omen_event *event = &w->trace->events.data[e];
  if (!w->trace->index[e] || w->waiting[event->thread]
      || omen_walk_may_exclude (w, e))
    return true;
  if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
    return w->places[event->object] && !knows_alloc (w, e);
  return w->kinds >> event->kind & 1;
}

static omen_cid
walk_event (omen_model_walk *w, omen_eid e, omen_cid own)
{
  const omen_event *event = &w->trace->events.data[e];
  omen_cid likes[2] = { own, w->clock[e] };
  omen_cid c;
  omen_clocks_load (&w->clocks, own);
  if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
    join_access (w, e);
  else
    join_sync (w, e, own);
  if (!w->trace->index[e])
    join_fork (w, event->thread);
  omen_walk_choices (w, e);
  omen_walk_exclude (w, e);
  c = omen_clocks_store (&w->clocks, likes, 2);
  OMEN_CHECK (omen_clocks_below (&w->clocks, own, c));
  w->changed |= c != w->clock[e];
  return c;
}

static void
walk_all (omen_model_walk *w)
{
  for (size_t i = 0; i < w->trace->events.count; i++) {
    omen_eid e = w->model->order ? w->model->order[i] : (omen_eid)i;
    omen_tid t = w->trace->events.data[e].thread;
    if (may_join (w, e)) {
      w->own[t] = walk_event (w, e, w->own[t]);
      w->clock[e] = w->own[t];
      omen_walk_entered (w, e, w->own[t]);
      /* Update the state that events walked later use. */
      const omen_event *event = &w->trace->events.data[e];
      uint32_t at = w->model->at[e];
      if (event->kind == OMEN_HAPPENS_BEFORE
          || event->kind == OMEN_HAPPENS_AFTER)
        w->objects[event->object].seen++;
      else if (event->kind == OMEN_ARRIVE
               && w->model->rounds[at + 1].first_arrive
                          - w->model->rounds[at].first_arrive
                      == w->model->rounds[at].size
               && w->model->arrives[w->model->rounds[at + 1].first_arrive - 1]
                      == e)
        close_round (w, at);
    } else
      w->clock[e] = w->own[t];
    w->waiting[t] = w->trace->events.data[e].kind == OMEN_WAIT;
    w->took[t] = omen_walk_takes (w, e);
  }
}

/* ---- the state ---- */

/* Mark the places whose accesses may change clocks: allocated variables, and
   atoms with an ext. */
static void
mark_places (omen_model_walk *w)
{
  const omen_model *model = w->model;
  bool *external = omen_zalloc (model->atom_count, sizeof *external);
  for (uint32_t a = 0; a < model->atom_count; a++)
    w->externals[a] = OMEN_NONE;
  for (size_t e = 0; e < model->event_count; e++)
    if (w->trace->events.data[e].kind == OMEN_EXTERNAL) {
      omen_span span = omen_model_atoms (model, (omen_eid)e);
      for (uint32_t i = 0; i < span.count; i++)
        external[span.first + i] = true;
    }
  for (size_t p = 0; p < w->trace->places.count; p++) {
    omen_span span = model->place_atoms[p];
    if (model->alloc_of[w->trace->places.data[p].variable] != OMEN_NONE)
      w->places[p] |= OMEN_PLACE_ALLOCATED;
    for (uint32_t i = 0; i < span.count; i++)
      if (external[span.first + i])
        w->places[p] |= OMEN_PLACE_EXTERNAL;
  }
  omen_free (external);
}

static void
reset_walk (omen_model_walk *w)
{
  const omen_model *model = w->model;
  for (uint32_t t = 0; t < model->thread_count; t++)
    w->own[t] = 0, w->waiting[t] = false, w->took[t] = OMEN_NONE;
  for (uint32_t i = 0; i < 2 * model->lock_cells_first[model->lock_count]; i++)
    w->entered[i] = OMEN_NONE;
  for (uint32_t l = 0; l < model->lock_count; l++)
    w->last_op[l] = OMEN_NONE;
  for (uint32_t a = 0; a < model->atom_count; a++)
    w->externals[a] = OMEN_NONE;
  for (uint32_t o = 0; o < w->trace->names[OMEN_OPERAND_OBJECT].count; o++)
    w->objects[o] = (omen_walk_object){ 0, 0, 0 };
  w->changed = false;
}

static void
walk_init (omen_model_walk *w, omen_build *build)
{
  const omen_model *model = build->model;
  *w = (omen_model_walk){ .model = model,
                          .trace = build->trace,
                          .clock = build->clock };
  omen_clocks_init (&w->clocks, model->thread_count);
  w->own = omen_zalloc (model->thread_count, sizeof *w->own);
  w->waiting = omen_zalloc (model->thread_count, sizeof *w->waiting);
  w->took = omen_alloc (model->thread_count * sizeof *w->took);
  w->entered
      = omen_alloc (2 * (size_t)model->lock_cells_first[model->lock_count]
                    * sizeof *w->entered);
  w->places = omen_zalloc (build->trace->places.count, 1);
  w->externals = omen_alloc (model->atom_count * sizeof *w->externals);
  w->last_op = omen_alloc (model->lock_count * sizeof *w->last_op);
  w->objects = omen_zalloc (build->trace->names[OMEN_OPERAND_OBJECT].count,
                            sizeof *w->objects);
  w->rounds = omen_zalloc (model->round_count, sizeof *w->rounds);
  mark_places (w);
  for (unsigned kind = OMEN_FORK; kind < OMEN_BEGIN; kind++)
    w->kinds |= OMEN_KIND_BIT (kind);
  w->kinds
      |= OMEN_KIND_BIT (OMEN_TRY_FAIL) | OMEN_KIND_BIT (OMEN_READ_TRY_FAIL);
  for (uint32_t l = 0; l < model->lock_count; l++)
    if (model->irregular[l])
      for (unsigned kind = OMEN_ACQUIRE; kind < OMEN_REQUEST; kind++)
        w->kinds |= OMEN_KIND_BIT (kind);
}

static void
walk_fini (omen_model_walk *w)
{
  omen_clocks_fini (&w->clocks);
  omen_free (w->own);
  omen_free (w->waiting);
  omen_free (w->took);
  omen_free (w->entered);
  omen_free (w->places);
  omen_free (w->externals);
  omen_free (w->last_op);
  omen_free (w->objects);
  omen_free (w->rounds);
}

#define REPEATED_UP_TO 1000000 /* events */
#define MOST_WALKS 4

void
omen_build_clocks (omen_build *build)
{
  omen_model *model = build->model;
  omen_model_walk w;
  int walks = 0;
  walk_init (&w, build);
  do {
    reset_walk (&w);
    walk_all (&w);
  } while (w.chose && w.changed && model->event_count <= REPEATED_UP_TO
           && ++walks < MOST_WALKS);
  model->clock_stride = w.clocks.stride;
  model->clock_count = w.clocks.count;
  model->clock_words = OMEN_BUILD_KEEP (build, w.clocks.words);
  w.clocks.words.data = NULL;
  if (w.clocks.chunked) {
    model->clock_chunks = OMEN_BUILD_KEEP (build, w.clocks.chunks);
    w.clocks.chunks.data = NULL;
  }
  walk_fini (&w);
}
