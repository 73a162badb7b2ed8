#include "predict/lifetime/ends.h"
#include "base/map.h"

#include <stdlib.h>

bool
omen_ends_use (const omen_model *m, omen_eid end, omen_eid use)
{
  const omen_event *f = omen_model_event (m, end);
  const omen_event *a = omen_model_event (m, use);
  const omen_place *places = m->trace->places.data;
  return f->kind == OMEN_FREE && f->thread != a->thread
         && omen_kind_class (a->kind) == OMEN_CLASS_ACCESS
         && a->kind != OMEN_ALLOC && a->kind != OMEN_EXTERNAL
         && places[f->object].variable == places[a->object].variable;
}

uint64_t
omen_ends_key (const omen_model *m, omen_group_by group, omen_eid end,
               omen_eid use)
{
  const omen_event *f = omen_model_event (m, end);
  switch (group) {
  case OMEN_GROUP_LOCATION:
    return OMEN_PAIR (f->location, omen_model_event (m, use)->location);
  case OMEN_GROUP_EVENT:
    return use;
  case OMEN_GROUP_VARIABLE:
    return m->trace->places.data[f->object].variable;
  default:
    return OMEN_PAIR (end, use);
  }
}

static void
add_pair (omen_ends *ends, const omen_model *m, omen_group_by by,
          omen_map *groups, omen_eid end, omen_eid use)
{
  uint32_t *group = omen_map_at (groups, omen_ends_key (m, by, end, use));
  if (*group == OMEN_NONE)
    *group = groups->count - 1;
  OMEN_VEC_PUSH (ends->pairs, ((omen_end_pair){ end, use, *group, OMEN_NONE }));
}

/* A call of the C library is recorded as several accesses; a replay can only
   stop before the first. */
static bool
use_goes_on (const omen_model *m, omen_eid use)
{
  const omen_trace *trace = m->trace;
  const omen_event *event = omen_model_event (m, use), *before;
  omen_eid previous = omen_model_previous (m, use);
  if (trace->items.count != trace->events.count || previous == OMEN_NONE
      || trace->items.data[previous] != trace->items.data[use])
    return false;
  before = omen_model_event (m, previous);
  return before->kind == event->kind
         && (event->kind == OMEN_READ || event->kind == OMEN_WRITE)
         && trace->places.data[before->object].variable
                == trace->places.data[event->object].variable;
}

/* An access to several atoms is counted in its first one. */
static void
add_uses (omen_ends *ends, const omen_model *m, omen_group_by by,
          omen_map *groups, omen_eid end)
{
  omen_span span = omen_model_atoms (m, end);
  for (uint32_t a = span.first; a < span.first + span.count; a++) {
    if (m->atoms[a + 1].first_cell - m->atoms[a].first_cell < 2)
      continue;
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++) {
      omen_eid use = m->accesses[i];
      if (use_goes_on (m, use))
        continue;
      if (omen_ends_use (m, end, use) && omen_model_atoms (m, use).first == a
          && !omen_model_must_before (m, use, end))
        add_pair (ends, m, by, groups, end, use);
    }
  }
}

static uint32_t
pair_distance (const omen_model *m, const omen_end_pair *pair)
{
  uint32_t f = omen_model_position (m, pair->end);
  uint32_t a = omen_model_position (m, pair->use);
  return f < a ? a - f : f - a;
}

static int
by_group (const void *left, const void *right, void *model)
{
  const omen_end_pair *x = left, *y = right;
  uint32_t far_x, far_y;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  far_x = pair_distance (model, x);
  far_y = pair_distance (model, y);
  if (far_x != far_y)
    return far_x < far_y ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  if (x->use != y->use)
    return x->use < y->use ? -1 : 1;
  return x->write < y->write ? -1 : x->write > y->write;
}

void
omen_ends_init (omen_ends *ends, const omen_model *m, omen_group_by by)
{
  omen_map groups;
  *ends = (omen_ends){ 0 };
  omen_map_init (&groups);
  for (uint32_t i = 0; i < m->event_count; i++) {
    omen_eid e = omen_model_nth (m, i);
    if (omen_model_event (m, e)->kind == OMEN_FREE)
      add_uses (ends, m, by, &groups, e);
  }
  omen_map_fini (&groups);
  omen_ends_close (ends, m);
}

void
omen_ends_close (omen_ends *ends, const omen_model *m)
{
  if (ends->pairs.count)
    qsort_r (ends->pairs.data, ends->pairs.count, sizeof *ends->pairs.data,
             by_group, (void *)m);
  for (uint32_t i = 0; i < ends->pairs.count; i++)
    if (!i || ends->pairs.data[i].group != ends->pairs.data[i - 1].group)
      OMEN_VEC_PUSH (ends->first, i);
  OMEN_VEC_PUSH (ends->first, (uint32_t)ends->pairs.count);
}

void
omen_ends_fini (omen_ends *ends)
{
  OMEN_VEC_FINI (ends->pairs);
  OMEN_VEC_FINI (ends->first);
}

uint32_t
omen_ends_groups (const omen_ends *ends)
{
  return (uint32_t)ends->first.count - 1;
}

void
omen_ends_each (const void *context, uint32_t group, omen_asker_each each,
                void *asking)
{
  const omen_ends *ends = context;
  bool go_on = true;
  OMEN_REQUIRE (group < omen_ends_groups (ends));
  for (uint32_t i = ends->first.data[group];
       go_on && i < ends->first.data[group + 1]; i++) {
    const omen_end_pair *p = &ends->pairs.data[i];
    omen_eid events[] = { p->end, p->use, p->write };
    go_on = each (asking, events, p->write == OMEN_NONE ? 2 : 3);
  }
}
