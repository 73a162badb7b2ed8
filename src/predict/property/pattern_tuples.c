#include "predict/property/pattern_tuples.h"

_Static_assert (OMEN_SHAPE_STEPS <= OMEN_TUPLE_MAX,
                "the steps of a shape are one candidate");

typedef struct chooser {
  const omen_tuples *t;
  const omen_theta *theta;
  const omen_shape *shape;
  omen_asker_each each;
  void *context;
  omen_eid chosen[OMEN_SHAPE_STEPS];
  omen_tid thread_of[OMEN_SHAPE_STEPS]; /* by thread name; OMEN_NONE: not bound
                                           yet */
  uint32_t part;                        /* first step of the current part */
  bool stop;
} chooser;

static uint32_t
index_of (const chooser *c, omen_eid e)
{
  return c->t->model->trace->index[e];
}

static omen_tid
thread_at (const chooser *c, uint32_t step)
{
  return omen_model_thread (c->t->model, c->chosen[step]);
}

/* How many events of the list precede e in its thread. */
static size_t
count_before (const chooser *c, const omen_ids *list, omen_eid e)
{
  return OMEN_FIRST_NOT (i, 0, list->count,
                         index_of (c, list->data[i]) < index_of (c, e));
}

/* ---- regions ---- */

/* The begins and ends of regions of a thread from some event on, in order. */
typedef struct fences {
  uint32_t count;
  struct {
    uint32_t event;
    const omen_ids *list;
    size_t next;
  } of[OMEN_EVENTS_MAX];
} fences;

static void
fences_from (const chooser *c, omen_eid from, fences *f)
{
  omen_tid thread = omen_model_thread (c->t->model, from);
  uint64_t events = c->t->shapes->begins | c->t->shapes->ends;
  f->count = 0;
  for (; events; events &= events - 1) {
    uint32_t event = (uint32_t)__builtin_ctzll (events);
    const omen_candidate_bucket *bucket
        = omen_candidate_index_find (c->t->index, c->theta, event, thread);
    if (!bucket)
      continue;
    OMEN_ASSERT (f->count < OMEN_EVENTS_MAX);
    f->of[f->count].event = event;
    f->of[f->count].list = &bucket->list;
    f->of[f->count++].next = count_before (c, &bucket->list, from);
  }
}

/* The next of them, and its event of the property; an event that is several of
   them comes in the order of their declaration. False if there is none. */
static bool
fences_next (const chooser *c, fences *f, omen_eid *e, uint32_t *event)
{
  uint32_t best = OMEN_NONE;
  for (uint32_t i = 0; i < f->count; i++) {
    if (f->of[i].next == f->of[i].list->count)
      continue;
    if (best == OMEN_NONE
        || index_of (c, f->of[i].list->data[f->of[i].next])
               < index_of (c, f->of[best].list->data[f->of[best].next]))
      best = i;
  }
  if (best == OMEN_NONE)
    return false;
  *e = f->of[best].list->data[f->of[best].next++];
  *event = f->of[best].event;
  return true;
}

/* The end that matches this begin, by nesting; OMEN_NONE if there is none, or
   it is another event of the property than end_event. */
static omen_eid
end_of_region (const chooser *c, omen_eid begin, uint32_t begin_event,
               uint32_t end_event)
{
  fences f;
  omen_eid e;
  uint32_t event, depth = 0;
  fences_from (c, begin, &f);
  while (fences_next (c, &f, &e, &event)) {
    if (!depth && (e != begin || event != begin_event))
      continue;
    if (c->t->shapes->begins >> event & 1)
      depth++;
    else if (!--depth)
      return event == end_event ? e : OMEN_NONE;
  }
  return OMEN_NONE;
}

/* The only event that can be step i, which ends a region. */
static omen_eid
region_end (const chooser *c, uint32_t i)
{
  const omen_shape_step *steps = c->shape->steps;
  uint32_t begin = i;
  while (steps[--begin].region != steps[i].region)
    OMEN_ASSERT (begin > c->part);
  return end_of_region (c, c->chosen[begin], steps[begin].event,
                        steps[i].event);
}

/* ---- what is ruled out ---- */

/* Is e excluded by a lock: held by its thread throughout since its previous
   step, while steps of other threads in between hold it, too? */
static bool
is_locked_out (const chooser *c, uint32_t i, omen_eid e)
{
  const omen_model *m = c->t->model;
  uint32_t from = i, cover;
  while (from > c->part && thread_at (c, from - 1) != omen_model_thread (m, e))
    from--;
  if (from == c->part || from == i)
    return false;
  cover = omen_covers_same (c->t->covers, m->set_of[c->chosen[from - 1]],
                            m->set_of[e]);
  for (uint32_t k = from; cover && k < i; k++) {
    uint32_t set = m->set_of[c->chosen[k]];
    if (omen_covers_exclude (c->t->covers, cover,
                             omen_covers_both (c->t->covers, set, set)))
      return true;
  }
  return false;
}

static bool
may_be (const chooser *c, uint32_t i, omen_eid e)
{
  const omen_model *m = c->t->model;
  for (uint32_t k = c->part; k < i; k++)
    if (e == c->chosen[k] || omen_model_must_before (m, e, c->chosen[k]))
      return false;
  if (c->shape->steps[i].glued)
    return omen_tracks_parallel (c->t->tracks, c->chosen[i - 1], e)
           && !omen_model_must_before (m, c->chosen[i - 1], e);
  return !is_locked_out (c, i, e);
}

/* ---- choosing ---- */

static void choose_step (chooser *c, uint32_t i);

/* Is the thread bound to another name, or the name to another thread? */
static bool
is_taken (const chooser *c, uint32_t name, omen_tid thread)
{
  for (uint32_t n = 0; n < c->t->shapes->names; n++)
    if (n == name ? c->thread_of[n] != OMEN_NONE && c->thread_of[n] != thread
                  : c->thread_of[n] == thread)
      return true;
  return false;
}

static void
take_step (chooser *c, uint32_t i, omen_eid e)
{
  uint32_t name = c->shape->steps[i].name;
  omen_tid thread = omen_model_thread (c->t->model, e), before;
  c->stop |= !*c->t->work;
  if (c->stop || (name != OMEN_NONE && is_taken (c, name, thread)))
    return;
  --*c->t->work;
  OMEN_ASSERT (i >= c->part && i < c->shape->count);
  if (!may_be (c, i, e))
    return;
  c->chosen[i] = e;
  if (name == OMEN_NONE) {
    choose_step (c, i + 1);
    return;
  }
  before = c->thread_of[name];
  c->thread_of[name] = thread;
  choose_step (c, i + 1);
  c->thread_of[name] = before;
}

static bool
is_glued (const chooser *c, uint32_t i)
{
  return c->shape->steps[i].glued
         || (i + 1 < c->shape->count && c->shape->steps[i + 1].glued);
}

/* Are all previous steps of the part by this thread? */
static bool
thread_alone (const chooser *c, uint32_t i, omen_tid thread)
{
  for (uint32_t k = c->part; k < i; k++)
    if (thread_at (c, k) != thread)
      return false;
  return true;
}

/* Is only the last candidate before the end of a region needed for step i? So
   if the next step is that end, and the rest of the part is by the same
   thread. */
static bool
is_last_before_end (const chooser *c, uint32_t i)
{
  const omen_shape_step *steps = c->shape->steps;
  if (i + 1 >= c->shape->count || !steps[i + 1].ends
      || steps[i].name == OMEN_NONE || steps[i].region != OMEN_NONE
      || is_glued (c, i))
    return false;
  for (uint32_t k = i + 1; k < c->shape->count && !steps[k].first; k++)
    if (steps[k].name != steps[i].name)
      return false;
  return true;
}

/* That candidate, or OMEN_NONE. */
static omen_eid
last_before_end (const chooser *c, uint32_t i, const omen_ids *list)
{
  omen_eid end = region_end (c, i + 1);
  size_t before = end == OMEN_NONE ? 0 : count_before (c, list, end);
  return before ? list->data[before - 1] : OMEN_NONE;
}

/* The only event that step i can be, if that is known, else OMEN_NONE. */
static omen_eid
foreseen (const chooser *c, uint32_t i)
{
  const omen_shape_step *step = &c->shape->steps[i];
  const omen_candidate_bucket *bucket;
  if (i >= c->shape->count || step->first || step->name == OMEN_NONE
      || c->thread_of[step->name] == OMEN_NONE)
    return OMEN_NONE;
  if (step->ends)
    return region_end (c, i);
  if (!is_last_before_end (c, i))
    return OMEN_NONE;
  bucket = omen_candidate_index_find (c->t->index, c->theta, step->event,
                                      c->thread_of[step->name]);
  return bucket ? last_before_end (c, i, &bucket->list) : OMEN_NONE;
}

/* Do locks rule out the whole bucket for step i: held by the step before, if
   glued to it, or held throughout between the steps before and after? */
static bool
is_bucket_locked_out (const chooser *c, uint32_t i,
                      const omen_candidate_bucket *bucket)
{
  const omen_model *m = c->t->model;
  omen_covers *covers = c->t->covers;
  omen_eid before, after;
  if (i == c->part || !bucket->same_locks)
    return false;
  before = c->chosen[i - 1];
  if (c->shape->steps[i].glued)
    return omen_model_sets_exclude (m, m->set_of[before], bucket->set);
  after = foreseen (c, i + 1);
  return after != OMEN_NONE
         && omen_model_thread (m, after) == thread_at (c, i - 1)
         && bucket->thread != thread_at (c, i - 1)
         && omen_covers_exclude (
             covers,
             omen_covers_same (covers, m->set_of[before], m->set_of[after]),
             omen_covers_both (covers, bucket->set, bucket->set));
}

/* Try the events nearest to the previous step (in the trace) first. */
static void
take_nearest (chooser *c, uint32_t i, const omen_ids *list)
{
  const omen_model *m = c->t->model;
  uint32_t near = i > c->part ? omen_model_position (m, c->chosen[i - 1]) : 0;
  size_t up = 0, down;
  while (up < list->count && omen_model_position (m, list->data[up]) < near)
    up++;
  for (down = up; (up < list->count || down) && !c->stop;) {
    bool go_up
        = up < list->count
          && (!down
              || omen_model_position (m, list->data[up]) - near
                     <= near - omen_model_position (m, list->data[down - 1]));
    take_step (c, i, go_up ? list->data[up++] : list->data[--down]);
  }
}

static void
choose_in (chooser *c, uint32_t i, omen_tid thread)
{
  const omen_shape_step *step = &c->shape->steps[i];
  const omen_candidate_bucket *bucket
      = omen_candidate_index_find (c->t->index, c->theta, step->event, thread);
  const omen_ids *list = bucket ? &bucket->list : NULL;
  bool replaced = step->region == OMEN_NONE && !is_glued (c, i);
  if (!bucket || is_bucket_locked_out (c, i, bucket))
    return;
  if (replaced && thread_alone (c, i, thread)) {
    size_t first = i > c->part ? count_before (c, list, c->chosen[i - 1]) : 0;
    first += i > c->part && first < list->count
             && list->data[first] == c->chosen[i - 1];
    if (first < list->count)
      take_step (c, i, list->data[first]);
  } else if (is_last_before_end (c, i)) {
    omen_eid last = last_before_end (c, i, list);
    if (last != OMEN_NONE)
      take_step (c, i, last);
  } else
    take_nearest (c, i, list);
}

static void
choose_step (chooser *c, uint32_t i)
{
  const omen_shape_step *step = &c->shape->steps[i];
  uint32_t part = c->part;
  if (c->stop)
    return;
  if (i == c->shape->count) {
    c->stop = !c->each (c->context, c->chosen, i);
    return;
  }
  if (step->first)
    c->part = i;
  if (step->region != OMEN_NONE && step->ends) {
    omen_eid end = region_end (c, i);
    if (end != OMEN_NONE)
      take_step (c, i, end);
  } else {
    uint32_t name = step->name;
    if (name != OMEN_NONE && c->thread_of[name] != OMEN_NONE)
      choose_in (c, i, c->thread_of[name]);
    else
      for (omen_tid t = 0; t < c->t->model->thread_count && !c->stop; t++)
        choose_in (c, i, t);
  }
  c->part = part;
}

void
omen_tuples_each (const omen_tuples *t, const omen_theta *theta,
                  const omen_shape *shape, omen_asker_each each, void *context)
{
  chooser c = {
    .t = t, .theta = theta, .shape = shape, .each = each, .context = context
  };
  OMEN_REQUIRE (shape->count && shape->count <= OMEN_SHAPE_STEPS);
  OMEN_REQUIRE (shape->steps[0].first && !shape->steps[0].glued);
  OMEN_REQUIRE (t->shapes->names <= OMEN_SHAPE_STEPS);
  for (uint32_t n = 0; n < OMEN_SHAPE_STEPS; n++)
    c.thread_of[n] = OMEN_NONE;
  choose_step (&c, 0);
}
