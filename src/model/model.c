#include "model/model.h"
#include "model/model_build.h"

/* ---- building ---- */

void *
omen_build_keep (omen_build *build, void *array, size_t bytes)
{
  void *kept = omen_realloc (array, bytes);
  OMEN_VEC_PUSH (build->model->store->arrays, kept);
  return kept;
}

void *
omen_build_array (omen_build *build, size_t count, size_t size)
{
  void *array = omen_zalloc (count, size);
  OMEN_VEC_PUSH (build->model->store->arrays, array);
  return array;
}

uint32_t
omen_build_starts (uint32_t *first, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    first[i + 1] += first[i];
  return first[count];
}

uint32_t *
omen_build_group (omen_build *build, uint64_t kinds, uint32_t count,
                  const omen_eid **list)
{
  const omen_event *events = build->trace->events.data;
  uint32_t *first = omen_build_array (build, (size_t)count + 1, sizeof *first);
  uint32_t *fill = omen_alloc (count * sizeof *fill);
  omen_eid *out;
  for (size_t i = 0; i < build->rare.count; i++)
    if (kinds >> events[build->rare.data[i]].kind & 1)
      first[events[build->rare.data[i]].object + 1]++;
  out = omen_build_array (build, omen_build_starts (first, count), sizeof *out);
  for (uint32_t i = 0; i < count; i++)
    fill[i] = first[i];
  for (size_t i = 0; i < build->rare.count; i++) {
    omen_eid e = build->rare.data[i];
    if (kinds >> events[e].kind & 1)
      out[fill[events[e].object]++] = e;
  }
  *list = out;
  omen_free (fill);
  return first;
}

/* Kinds that have tables by object; accesses and lock operations do not. */
static bool
is_rare (unsigned kind)
{
  return kind > OMEN_REQUEST && kind < OMEN_ALLOC && kind != OMEN_LOCK_FAIL;
}

static void
start_build (omen_build *build, omen_model *model, const omen_trace *trace)
{
  omen_base_order *base = &model->store->base;
  size_t events = trace->events.count;
  model->trace = trace;
  model->event_count = (uint32_t)events;
  model->thread_count = (uint32_t)trace->threads.count;
  model->lock_count = trace->names[OMEN_OPERAND_LOCK].count;
  model->variable_count = trace->names[OMEN_OPERAND_VARIABLE].count;
  model->order = base->order;
  model->position = base->position;
  model->warning = base->warning[0] ? base->warning : NULL;
  model->irregular = base->irregular;
  model->misuses = base->misuses.data;
  model->misuse_count = (uint32_t)base->misuses.count;
  omen_atoms_init (&model->store->atoms, trace);
  *build = (omen_build){ .model = model, .trace = trace };
  build->at = omen_build_array (build, events, sizeof *build->at);
  build->set_of = omen_build_array (build, events, sizeof *build->set_of);
  build->clock = omen_build_array (build, events, sizeof *build->clock);
  model->at = build->at;
  model->set_of = build->set_of;
  model->clock = build->clock;
  for (size_t i = 0; i < build->trace->events.count; i++) {
    omen_eid e = omen_build_nth (build, i);
    build->at[e] = OMEN_NONE;
    if (is_rare (build->trace->events.data[e].kind))
      OMEN_VEC_PUSH (build->rare, e);
  }
}

omen_model *
omen_model_new (const omen_trace *trace, omen_err *err)
{
  omen_model *model = omen_zalloc (1, sizeof *model);
  omen_build build;
  bool ok;
  model->store = omen_zalloc (1, sizeof *model->store);
  if (!omen_wellformed (trace, &model->store->base, err)) {
    omen_model_free (model);
    return NULL;
  }
  start_build (&build, model, trace);
  ok = omen_build_memory (&build, err);
  if (ok) {
    omen_build_locks (&build);
    omen_build_waits (&build);
    omen_build_servers (&build);
    omen_build_semaphores (&build);
    omen_build_barriers (&build);
    omen_build_blocks (&build);
    model->thread_joins = omen_build_group (&build, OMEN_KIND_BIT (OMEN_JOIN),
                                            model->thread_count, &model->joins);
    model->object_ops = omen_build_group (
        &build,
        OMEN_KIND_BIT (OMEN_HAPPENS_BEFORE)
            | OMEN_KIND_BIT (OMEN_HAPPENS_AFTER),
        trace->names[OMEN_OPERAND_OBJECT].count, &model->hb_ops);
    omen_build_clocks (&build);
    omen_build_words (&build);
  }
  OMEN_VEC_FINI (build.rare);
  if (!ok) {
    omen_model_free (model);
    return NULL;
  }
  OMEN_ASSERT (model->clock_count > 0 && model->set_count > 0);
  OMEN_CHECK (omen_model_valid (model));
  return model;
}

void
omen_model_free (omen_model *model)
{
  if (!model)
    return;
  for (size_t i = 0; i < model->store->arrays.count; i++)
    omen_free (model->store->arrays.data[i]);
  OMEN_VEC_FINI (model->store->arrays);
  omen_base_order_fini (&model->store->base);
  omen_atoms_fini (&model->store->atoms);
  omen_free (model->store);
  omen_free (model);
}

/* ---- queries ---- */

uint32_t
omen_model_after (const omen_model *model, omen_eid e, omen_tid t)
{
  const omen_trace *trace = model->trace;
  omen_tid own = omen_model_thread (model, e);
  OMEN_REQUIRE (t < model->thread_count);
  if (t == own)
    return trace->index[e] + 1;
  return OMEN_FIRST_NOT (
      i, 0, trace->threads.data[t].count,
      omen_model_before (model, omen_trace_nth (trace, t, i), own)
          <= trace->index[e]);
}

uint32_t
omen_model_holds (const omen_model *model, omen_eid e, omen_lid lock)
{
  const omen_set *set = &model->sets[model->set_of[e]];
  OMEN_REQUIRE (e < model->event_count && lock < model->lock_count);
  for (uint32_t i = set->first; i < set[1].first; i++)
    if (model->held[i].lock == lock)
      return model->held[i].section;
  return OMEN_NONE;
}

uint32_t
omen_model_sections_begun (const omen_model *model, uint32_t cell,
                           uint32_t count)
{
  uint32_t first = model->lock_cells[cell].first;
  uint32_t low = first, high = model->lock_cells[cell + 1].first;
  OMEN_ASSERT (low <= high && high <= model->section_count);
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    omen_eid acquire = model->sections[model->lock_members[middle]].acquire;
    if (model->trace->index[acquire] < count)
      low = middle + 1;
    else
      high = middle;
  }
  return low - first;
}

uint32_t
omen_model_last_section (const omen_model *model, uint32_t cell, uint32_t count)
{
  uint32_t n = omen_model_sections_begun (model, cell, count);
  return n ? model->lock_members[model->lock_cells[cell].first + n - 1]
           : OMEN_NONE;
}

bool
omen_model_sets_exclude (const omen_model *model, uint32_t a, uint32_t b)
{
  uint32_t i = model->sets[a].first, j = model->sets[b].first;
  OMEN_REQUIRE (a < model->set_count && b < model->set_count);
  while (i < model->sets[a + 1].first && j < model->sets[b + 1].first) {
    const omen_held *x = &model->held[i], *y = &model->held[j];
    if (x->lock == y->lock
        && (x->mode == OMEN_LOCK_WRITE || y->mode == OMEN_LOCK_WRITE))
      return true;
    if (x->lock <= y->lock)
      i++;
    else
      j++;
  }
  return false;
}

static bool
may_conflict (const omen_event *event)
{
  return omen_kind_class (event->kind) == OMEN_CLASS_ACCESS
         && event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
}

bool
omen_model_may_race (const omen_model *model, omen_eid a, omen_eid b)
{
  const omen_event *x = omen_model_event (model, a);
  const omen_event *y = omen_model_event (model, b);
  omen_span p, q;
  if (x->thread == y->thread || !may_conflict (x) || !may_conflict (y)
      || (!omen_kind_writes (x->kind) && !omen_kind_writes (y->kind))
      || (omen_kind_atomic (x->kind) && omen_kind_atomic (y->kind)))
    return false;
  p = omen_model_atoms (model, a);
  q = omen_model_atoms (model, b);
  return p.first < q.first + q.count && q.first < p.first + p.count;
}

uint32_t
omen_model_return_of (const omen_model *model, omen_eid e)
{
  omen_eid before = omen_model_previous (model, e);
  if (before == OMEN_NONE
      || omen_model_event (model, before)->kind != OMEN_WAIT)
    return OMEN_NONE;
  return model->at[before];
}

uint32_t
omen_model_cell (const omen_model *model, uint32_t atom, omen_tid t)
{
  uint32_t low = model->atoms[atom].first_cell;
  uint32_t end = model->atoms[atom + 1].first_cell, high = end;
  OMEN_REQUIRE (atom < model->atom_count);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (model->cells[middle].thread < t)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && model->cells[low].thread == t ? low : OMEN_NONE;
}

uint32_t
omen_model_count_below (const omen_eid *list, uint32_t count, omen_eid e)
{
  return OMEN_FIRST_NOT (i, 0, count, list[i] < e);
}

uint32_t
omen_model_block (const omen_model *model, omen_eid e)
{
  omen_tid t = omen_model_thread (model, e);
  uint32_t first = model->thread_blocks[t], low = first;
  uint32_t high = model->thread_blocks[t + 1], block;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (model->blocks[middle].open <= e)
      low = middle + 1;
    else
      high = middle;
  }
  block = low > first ? low - 1 : OMEN_NONE;
  while (block != OMEN_NONE && model->blocks[block].close < e)
    block = model->blocks[block].parent;
  return block;
}

void
omen_model_prefix (const omen_model *model, uint32_t count, omen_ids *sequence)
{
  OMEN_VEC_RESERVE (*sequence, sequence->count + count);
  for (uint32_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (*sequence, omen_model_nth (model, i));
}

bool
omen_model_depends (const omen_model *model)
{
  const omen_trace *trace = model->trace;
  for (size_t i = 0; i < trace->extras.count; i++)
    if (trace->extras.data[i].reads
        || trace->extras.data[i].branch != OMEN_NONE)
      return true;
  return false;
}
