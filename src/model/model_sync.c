/* The model's conditions, semaphores, barriers and blocks. */
#include "base/map.h"
#include "model/model_build.h"

static const omen_event *
event_of (const omen_build *build, omen_eid e)
{
  return &build->trace->events.data[e];
}

/* ---- conditions ---- */

static omen_wait
describe_wait (const omen_build *build, omen_eid w)
{
  const omen_event *event = event_of (build, w);
  omen_eid back = omen_model_next (build->model, w);
  omen_wait wait = {
    event->object,    w, back, (omen_lid)event->value, build->at[w], OMEN_NONE,
    back != OMEN_NONE
  };
  const omen_event *wake;
  OMEN_ASSERT (event->kind == OMEN_WAIT);
  if (back == OMEN_NONE)
    return wait;
  wake = event_of (build, back);
  if (wake->kind == OMEN_WAKE) {
    wait.begins = build->at[back];
    wait.needs = !(wake->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS));
  }
  return wait;
}

void
omen_build_waits (omen_build *build)
{
  omen_model *model = build->model;
  uint32_t count = build->trace->names[OMEN_OPERAND_CONDITION].count;
  const omen_eid *list;
  uint32_t *first
      = omen_build_group (build, OMEN_KIND_BIT (OMEN_WAIT), count, &list);
  omen_wait *waits = omen_build_array (build, first[count], sizeof *waits);
  /* Two passes, since a wait may be the return of another one. */
  for (uint32_t i = 0; i < first[count]; i++)
    waits[i] = describe_wait (build, list[i]);
  for (uint32_t i = 0; i < first[count]; i++) {
    omen_eid back = waits[i].back;
    build->at[waits[i].wait] = i;
    if (back != OMEN_NONE && event_of (build, back)->kind == OMEN_WAKE)
      build->at[back] = i;
  }
  model->condition_waits = first;
  model->waits = waits;
  model->wait_count = first[count];
  model->condition_notifies = omen_build_group (
      build, OMEN_KIND_BIT (OMEN_NOTIFY) | OMEN_KIND_BIT (OMEN_NOTIFY_ALL),
      count, &model->notifies);
}

/* ---- semaphores ---- */

static uint32_t
cap (uint64_t n)
{
  return n < INT32_MAX ? (uint32_t)n : INT32_MAX;
}

/* Split the operations of one semaphore at its seminits. */
static void
cut_semaphore (omen_build *build, uint32_t s, const omen_eid *ops,
               uint32_t count, omen_semaphore *out, uint32_t *segments,
               omen_eid *kept, uint32_t *kept_count)
{
  out[(*segments)++] = (omen_semaphore){
    s, OMEN_NONE, cap (build->model->store->base.sem_start[s]), *kept_count
  };
  for (uint32_t i = 0; i < count; i++) {
    const omen_event *event = event_of (build, ops[i]);
    if (event->kind == OMEN_SEM_INIT)
      out[(*segments)++]
          = (omen_semaphore){ s, ops[i], cap (event->value), *kept_count };
    else
      kept[(*kept_count)++] = ops[i];
    build->at[ops[i]] = *segments - 1;
  }
}

void
omen_build_semaphores (omen_build *build)
{
  omen_model *model = build->model;
  uint32_t count = build->trace->names[OMEN_OPERAND_SEMAPHORE].count;
  const uint64_t kinds
      = OMEN_KIND_BIT (OMEN_SEM_INIT) | OMEN_KIND_BIT (OMEN_SEM_UP)
        | OMEN_KIND_BIT (OMEN_SEM_DOWN) | OMEN_KIND_BIT (OMEN_SEM_FAIL);
  const omen_eid *list;
  uint32_t *first = omen_build_group (build, kinds, count, &list);
  omen_semaphore *out
      = omen_build_array (build, (size_t)first[count] + count + 1, sizeof *out);
  omen_eid *kept = omen_build_array (build, first[count], sizeof *kept);
  uint32_t segments = 0, kept_count = 0, start = 0;
  for (uint32_t s = 0; s < count; s++) {
    uint32_t end = first[s + 1];
    first[s] = segments;
    cut_semaphore (build, s, list + start, end - start, out, &segments, kept,
                   &kept_count);
    start = end;
  }
  OMEN_ASSERT (start == first[count]);
  first[count] = segments;
  out[segments].first = kept_count;
  model->semaphore_first = first;
  model->semaphores = out;
  model->sem_ops = kept;
  model->semaphore_count = segments;
}

/* ---- barriers ---- */

static void
group_departs (omen_build *build, omen_round *rounds, uint32_t count)
{
  omen_eid *departs;
  uint32_t sum = 0;
  for (size_t i = 0; i < build->rare.count; i++)
    if (event_of (build, build->rare.data[i])->kind == OMEN_DEPART)
      rounds[build->at[build->rare.data[i]] + 1].first_depart++;
  for (uint32_t r = 0; r < count; r++)
    rounds[r + 1].first_depart += rounds[r].first_depart;
  sum = rounds[count].first_depart;
  departs = omen_build_array (build, sum, sizeof *departs);
  for (size_t i = 0; i < build->rare.count; i++) {
    omen_eid e = build->rare.data[i];
    if (event_of (build, e)->kind == OMEN_DEPART)
      departs[rounds[build->at[e]].first_depart++] = e;
  }
  for (uint32_t r = count; r > 0; r--)
    rounds[r].first_depart = rounds[r - 1].first_depart;
  rounds[0].first_depart = 0;
  OMEN_ASSERT (rounds[count].first_depart == sum);
  build->model->departs = departs;
}

/* Each departure belongs to the round of its thread's latest arrival. */
static void
place_departs (omen_build *build)
{
  omen_map latest;
  omen_map_init (&latest);
  for (size_t i = 0; i < build->rare.count; i++) {
    omen_eid e = build->rare.data[i];
    const omen_event *event = event_of (build, e);
    uint64_t key = OMEN_PAIR (event->thread, event->object);
    if (event->kind == OMEN_ARRIVE)
      *omen_map_at (&latest, key) = build->at[e];
    else if (event->kind == OMEN_DEPART)
      build->at[e] = omen_map_get (&latest, key);
    OMEN_ASSERT (event->kind != OMEN_DEPART || build->at[e] != OMEN_NONE);
  }
  omen_map_fini (&latest);
}

void
omen_build_barriers (omen_build *build)
{
  omen_model *model = build->model;
  uint32_t barriers = build->trace->names[OMEN_OPERAND_BARRIER].count;
  uint32_t *first = omen_build_group (build, OMEN_KIND_BIT (OMEN_ARRIVE),
                                      barriers, &model->arrives);
  uint32_t arrivals = first[barriers], count = 0, i = 0;
  omen_round *rounds
      = omen_build_array (build, (size_t)arrivals + 1, sizeof *rounds);
  for (uint32_t b = 0; b < barriers; b++) {
    uint32_t end = first[b + 1];
    first[b] = count;
    while (i < end) {
      uint64_t size = event_of (build, model->arrives[i])->value;
      OMEN_ASSERT (size);
      rounds[count] = (omen_round){ b, cap (size), i, 0 };
      for (uint64_t k = 0; k < size && i < end; k++)
        build->at[model->arrives[i++]] = count;
      count++;
    }
  }
  first[barriers] = count;
  rounds[count].first_arrive = arrivals;
  model->barrier_rounds = first;
  model->rounds = rounds;
  model->round_count = count;
  place_departs (build);
  group_departs (build, rounds, count);
}

/* ---- blocks ---- */

/* The blocks of one thread that are open. */
typedef struct opened {
  omen_map innermost;      /* label -> innermost open block of that label */
  uint32_t top;            /* innermost of all, or OMEN_NONE */
  uint32_t *same;          /* by block: the one of its label around it */
  uint32_t *below, *above; /* by block: neighbours among the open ones */
} opened;

static uint64_t
label_of (const omen_event *event)
{
  bool function = event->kind == OMEN_ENTER || event->kind == OMEN_EXIT;
  return OMEN_PAIR (function, event->object);
}

static void
open_block (opened *o, omen_model_region *blocks, uint32_t id, omen_eid e,
            const omen_event *event)
{
  uint32_t *innermost = omen_map_at (&o->innermost, label_of (event));
  blocks[id] = (omen_model_region){ e, OMEN_NONE, o->top };
  o->same[id] = *innermost;
  o->below[id] = o->top;
  o->above[id] = OMEN_NONE;
  if (o->top != OMEN_NONE)
    o->above[o->top] = id;
  o->top = *innermost = id;
}

/* The block that the event closes, or OMEN_NONE. */
static uint32_t
close_block (opened *o, omen_model_region *blocks, omen_eid e,
             const omen_event *event)
{
  uint32_t *innermost = omen_map_at (&o->innermost, label_of (event));
  uint32_t id = *innermost;
  if (id == OMEN_NONE)
    return id;
  OMEN_ASSERT (blocks[id].open < e && blocks[id].close == OMEN_NONE);
  blocks[id].close = e;
  *innermost = o->same[id];
  if (o->below[id] != OMEN_NONE)
    o->above[o->below[id]] = o->above[id];
  if (o->above[id] != OMEN_NONE)
    o->below[o->above[id]] = o->below[id];
  else
    o->top = o->below[id];
  return id;
}

static bool
opens (const omen_event *event)
{
  return event->kind == OMEN_BEGIN || event->kind == OMEN_ENTER;
}

/* List the block events of each thread; returns the range table. */
static uint32_t *
list_block_events (omen_build *build, omen_eid **list)
{
  uint32_t threads = build->model->thread_count;
  uint32_t *first = omen_zalloc ((size_t)threads + 1, sizeof *first);
  uint32_t *fill = omen_alloc (threads * sizeof *fill);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < build->rare.count; i++) {
      omen_eid e = build->rare.data[i];
      const omen_event *event = event_of (build, e);
      if (event->kind < OMEN_BEGIN || event->kind > OMEN_EXIT)
        continue;
      if (pass)
        (*list)[fill[event->thread]++] = e;
      else
        first[event->thread + 1]++;
    }
    if (pass)
      break;
    *list = omen_alloc (omen_build_starts (first, threads) * sizeof **list);
    for (uint32_t t = 0; t < threads; t++)
      fill[t] = first[t];
  }
  omen_free (fill);
  return first;
}

void
omen_build_blocks (omen_build *build)
{
  omen_model *model = build->model;
  omen_eid *list;
  uint32_t *first = list_block_events (build, &list);
  uint32_t threads = model->thread_count, events = first[threads], count = 0;
  uint32_t *range
      = omen_build_array (build, (size_t)threads + 1, sizeof *range);
  omen_model_region *blocks = omen_build_array (build, events, sizeof *blocks);
  opened o = { .same = omen_alloc (events * sizeof *o.same),
               .below = omen_alloc (events * sizeof *o.below),
               .above = omen_alloc (events * sizeof *o.above) };
  for (omen_tid t = 0; t < threads; t++) {
    range[t] = count;
    if (first[t] == first[t + 1])
      continue;
    o.top = OMEN_NONE;
    omen_map_init (&o.innermost);
    for (uint32_t i = first[t]; i < first[t + 1]; i++) {
      const omen_event *event = event_of (build, list[i]);
      build->at[list[i]]
          = opens (event) ? count : close_block (&o, blocks, list[i], event);
      if (opens (event))
        open_block (&o, blocks, count++, list[i], event);
    }
    omen_map_fini (&o.innermost);
  }
  range[threads] = count;
  model->thread_blocks = range;
  model->blocks = blocks;
  model->block_count = count;
  omen_free (o.same);
  omen_free (o.below);
  omen_free (o.above);
  omen_free (first);
  omen_free (list);
}
