/* The model's locks: critical sections, and what is held at each event. */
#include "model/model_build.h"
#include "model/model_sets.h"
#include "trace/holds.h"

typedef struct locker {
  omen_build *build;
  const omen_trace *trace;
  const uint8_t *irregular;
  omen_holds holds; /* tags are sections */
  omen_sets sets;
  uint32_t *current;                /* by thread: set held */
  OMEN_VEC (omen_section) sections; /* in order of the acquires */
} locker;

/* ---- the walk ---- */

static void
begin_section (locker *k, omen_eid e, const omen_lock_step *step)
{
  omen_tid t = k->trace->events.data[e].thread;
  uint32_t id = (uint32_t)k->sections.count;
  OMEN_VEC_PUSH (k->sections,
                 ((omen_section){ step->lock, t, e, OMEN_NONE, step->mode }));
  OMEN_ASSERT (k->holds.holds.data[step->hold].thread == t);
  k->holds.holds.data[step->hold].tag[step->mode] = id;
  k->current[t] = omen_sets_add (&k->sets, k->current[t],
                                 (omen_held){ step->lock, step->mode, id });
}

static void
end_section (locker *k, omen_eid e, const omen_lock_step *step)
{
  omen_tid t = k->trace->events.data[e].thread;
  uint32_t id = k->holds.holds.data[step->hold].tag[step->mode];
  OMEN_ASSERT (id < k->sections.count && k->sections.data[id].thread == t);
  OMEN_ASSERT (k->sections.data[id].release == OMEN_NONE);
  k->sections.data[id].release = e;
  k->current[t] = omen_sets_remove (&k->sets, k->current[t], id);
}

static bool
is_lock_operation (const omen_event *event)
{
  return (event->kind >= OMEN_ACQUIRE && event->kind <= OMEN_READ_RELEASE)
         || ((event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
             && event->value != OMEN_NONE);
}

static void
walk_lock (locker *k, omen_eid e)
{
  const omen_event *event = &k->trace->events.data[e];
  bool wait = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
  omen_lock_step step;
  if (k->irregular[wait ? (omen_lid)event->value : event->object])
    return;
  step = omen_holds_step (&k->holds, event);
  OMEN_ASSERT (!step.odd && !step.busy);
  if (step.effect == OMEN_LOCK_TAKE)
    begin_section (k, e, &step);
  else if (step.effect == OMEN_LOCK_GIVE)
    end_section (k, e, &step);
}

/* ---- grouping by lock ---- */

/* Group sections by lock; renumber them in the held locks and in `at`. */
static void
group_sections (locker *k)
{
  omen_build *build = k->build;
  omen_model *model = build->model;
  uint32_t count = (uint32_t)k->sections.count;
  uint32_t *first
      = omen_build_array (build, (size_t)model->lock_count + 1, sizeof *first);
  uint32_t *fill = omen_alloc (model->lock_count * sizeof *fill);
  uint32_t *new_id = omen_alloc (count * sizeof *new_id);
  omen_section *sections = omen_build_array (build, count, sizeof *sections);
  for (uint32_t s = 0; s < count; s++)
    first[k->sections.data[s].lock + 1]++;
  omen_build_starts (first, model->lock_count);
  for (uint32_t l = 0; l < model->lock_count; l++)
    fill[l] = first[l];
  for (uint32_t s = 0; s < count; s++) {
    const omen_section *section = &k->sections.data[s];
    uint32_t id = new_id[s] = fill[section->lock]++;
    OMEN_ASSERT (id < first[section->lock + 1]);
    sections[id] = *section;
    build->at[section->acquire] = id;
    if (section->release != OMEN_NONE)
      build->at[section->release] = id;
  }
  for (size_t i = 0; i < k->sets.held.count; i++)
    k->sets.held.data[i].section = new_id[k->sets.held.data[i].section];
  model->lock_sections = first;
  model->sections = sections;
  model->section_count = count;
  omen_free (fill);
  omen_free (new_id);
}

/* Section ids sorted by thread, in order within each. */
static uint32_t *
sort_by_thread (const omen_model *model)
{
  uint32_t *first
      = omen_zalloc ((size_t)model->thread_count + 1, sizeof *first);
  uint32_t *sorted = omen_alloc (model->section_count * sizeof *sorted);
  for (uint32_t s = 0; s < model->section_count; s++)
    first[model->sections[s].thread + 1]++;
  omen_build_starts (first, model->thread_count);
  for (uint32_t s = 0; s < model->section_count; s++)
    sorted[first[model->sections[s].thread]++] = s;
  omen_free (first);
  return sorted;
}

/* The sections of each lock, sorted by thread. */
static void
list_members (omen_build *build)
{
  omen_model *model = build->model;
  uint32_t *sorted = sort_by_thread (model);
  uint32_t *members
      = omen_build_array (build, model->section_count, sizeof *members);
  uint32_t *fill = omen_alloc (model->lock_count * sizeof *fill);
  for (uint32_t l = 0; l < model->lock_count; l++)
    fill[l] = model->lock_sections[l];
  for (uint32_t i = 0; i < model->section_count; i++)
    members[fill[model->sections[sorted[i]].lock]++] = sorted[i];
  model->lock_members = members;
  omen_free (sorted);
  omen_free (fill);
}

static void
make_cells (omen_build *build)
{
  omen_model *model = build->model;
  uint32_t *first
      = omen_build_array (build, (size_t)model->lock_count + 1, sizeof *first);
  OMEN_VEC (omen_lock_cell) cells = { 0 };
  for (uint32_t l = 0; l < model->lock_count; l++) {
    omen_tid last = OMEN_NONE;
    first[l] = (uint32_t)cells.count;
    for (uint32_t i = model->lock_sections[l]; i < model->lock_sections[l + 1];
         i++) {
      omen_tid t = model->sections[model->lock_members[i]].thread;
      if (t != last)
        OMEN_VEC_PUSH (cells, ((omen_lock_cell){ t, i }));
      last = t;
    }
  }
  first[model->lock_count] = (uint32_t)cells.count;
  OMEN_VEC_PUSH (cells, ((omen_lock_cell){ OMEN_NONE, model->section_count }));
  model->lock_cells_first = first;
  model->lock_cells = OMEN_BUILD_KEEP (build, cells);
}

/* ---- all of it ---- */

static void
publish_sets (locker *k)
{
  omen_model *model = k->build->model;
  omen_sets *sets = &k->sets;
  uint32_t end = (uint32_t)sets->held.count;
  model->set_count = (uint32_t)sets->sets.count;
  OMEN_VEC_PUSH (sets->sets, ((omen_set){ end, 0 }));
  model->sets = OMEN_BUILD_KEEP (k->build, sets->sets);
  model->held = OMEN_BUILD_KEEP (k->build, sets->held);
  sets->sets.data = NULL;
  sets->held.data = NULL;
}

void
omen_build_locks (omen_build *build)
{
  omen_model *model = build->model;
  locker k = { .build = build,
               .trace = build->trace,
               .irregular = model->irregular };
  const uint64_t tries
      = OMEN_KIND_BIT (OMEN_TRY_FAIL) | OMEN_KIND_BIT (OMEN_READ_TRY_FAIL);
  omen_holds_init (&k.holds, build->trace);
  omen_sets_init (&k.sets);
  k.current = omen_build_array (build, model->thread_count, sizeof *k.current);
  for (size_t i = 0; i < k.trace->events.count; i++) {
    omen_eid e = omen_build_nth (k.build, i);
    const omen_event *event = &k.trace->events.data[e];
    build->set_of[e] = k.current[event->thread];
    if (is_lock_operation (event))
      walk_lock (&k, e);
  }
  group_sections (&k);
  list_members (build);
  make_cells (build);
  publish_sets (&k);
  model->end_set = k.current;
  model->lock_tries
      = omen_build_group (build, tries, model->lock_count, &model->tries);
  omen_sets_fini (&k.sets);
  omen_holds_fini (&k.holds);
  OMEN_VEC_FINI (k.sections);
}
