/* Windows: two events of one atomic block between which an entry may come. */
#include "predict/crossings_build.h"
#include "base/now.h"

#include <string.h>

/* An e1 of windows: the first access of its place, kind and location in a
   block. */
typedef struct first {
  omen_eid event;
  uint32_t section;  /* omen_crossings_section */
  uint32_t previous; /* of the same chain, or OMEN_NONE */
} first;

/* An open chosen block of the current thread. */
typedef struct level {
  uint32_t block;
  omen_ids firsts;  /* in firsts of the walk, in order */
  uint32_t section; /* the one with all its accesses so far; NO_ACCESS or
                       OMEN_NONE */
} level;

#define NO_ACCESS (OMEN_NONE - 1)

/* How many e1 of a block are combined with accesses of other variables. Blocks
   that touch more have more pairs than anybody would read about. */
#define FIRSTS_MAX 64u

typedef struct walk {
  omen_crossings *c;
  OMEN_VEC (level) levels; /* by opening */
  OMEN_VEC (first) firsts; /* of the current thread */
  omen_map chains; /* (block, variable), or for buffers (block, place) -> the
                      last of its firsts */
  bool forked;     /* the thread has forked: its earlier events do not represent
                      later ones */
  omen_map shapes; /* (place, kind, location) -> id; keys in two steps */
  omen_map seen;   /* (block, shape) */
  omen_map groups; /* key -> group */
  omen_map labels; /* (kind, name) of blocks and pairs -> id */
  omen_map keys;   /* of classes; keys in two steps */
  omen_ids class_of; /* by window */
  omen_ids group_of; /* by class */
  uint32_t steps;    /* number of ids given out by step_id */
} walk;

/* ---- keys ---- */

/* Keys of three numbers do not fit, so the first two are mapped to an id. */
static uint32_t
step_id (walk *w, omen_map *map, uint64_t key)
{
  uint32_t *slot = omen_map_at (map, key);
  if (*slot == OMEN_NONE)
    *slot = w->steps++;
  OMEN_ASSERT (*slot < 1u << 30); /* the upper two bits are flags of maps */
  return *slot;
}

static uint32_t
shape_of (walk *w, const omen_event *event)
{
  uint32_t half = step_id (
      w, &w->shapes,
      OMEN_PAIR (event->object, event->kind | (unsigned)w->forked << 16));
  return step_id (w, &w->shapes,
                  (uint64_t)1 << 63 | OMEN_PAIR (half, event->location));
}

/* Windows with the same key are reported together. */
static uint64_t
group_key (walk *w, uint32_t block, omen_eid e1, omen_eid e2)
{
  const omen_model *m = w->c->model;
  const omen_event *open = omen_model_event (m, m->blocks[block].open);
  const omen_event *a = omen_model_event (m, e1), *b = omen_model_event (m, e2);
  uint32_t label, half;
  if (w->c->by == OMEN_GROUP_EVENT)
    return block;
  if (w->c->by == OMEN_GROUP_NONE)
    return OMEN_PAIR (e1, e2);
  label = step_id (w, &w->labels, OMEN_PAIR (open->object, open->kind));
  if (w->c->by == OMEN_GROUP_LOCATION) {
    half = step_id (w, &w->labels,
                    (uint64_t)1 << 63 | OMEN_PAIR (label, a->location));
    return OMEN_PAIR (half, b->location);
  }
  half = step_id (
      w, &w->labels,
      (uint64_t)1 << 63
          | OMEN_PAIR (label, m->trace->places.data[a->object].variable));
  return OMEN_PAIR (half, m->trace->places.data[b->object].variable);
}

/* ---- classes ---- */

bool
omen_crossings_compatible (const omen_crossings *c,
                           const omen_side_class *window,
                           const omen_side_class *entry)
{
  return window->thread != entry->thread
         && (window->writes[0] || entry->writes[0])
         && (window->writes[1] || entry->writes[1])
         && !(
             omen_covers_exclude (&c->covers, window->cover[0], entry->cover[0])
             && omen_covers_exclude (&c->covers, window->cover[0],
                                     entry->cover[1]));
}

static bool
has_entries (const omen_crossings *c, const omen_side_class *window)
{
  const omen_entry_list *list = &c->lists.data[window->list];
  for (uint32_t i = 0; i < list->count; i++)
    if (omen_crossings_compatible (c, window,
                                   &c->entry_classes.data[list->first + i]))
      return true;
  return false;
}

#define DEAD (OMEN_NONE - 1) /* a class without entries */

static uint32_t
new_class (walk *w, const omen_side_class *class, uint64_t key)
{
  omen_crossings *c = w->c;
  uint32_t *group;
  OMEN_ASSERT (c->classes.count == w->group_of.count);
  if (!has_entries (c, class))
    return DEAD;
  group = omen_map_at (&w->groups, key);
  if (*group == OMEN_NONE) {
    *group = (uint32_t)c->groups.count;
    OMEN_VEC_PUSH (c->groups, ((omen_window_group){ 0, 0 }));
  }
  c->groups.data[*group].count++;
  OMEN_VEC_PUSH (c->classes, *class);
  OMEN_VEC_PUSH (w->group_of, *group);
  return (uint32_t)c->classes.count - 1;
}

static uint32_t
class_for (walk *w, uint32_t block, omen_eid e1, omen_eid e2)
{
  omen_crossings *c = w->c;
  const omen_model *m = c->model;
  const omen_event *a = omen_model_event (m, e1), *b = omen_model_event (m, e2);
  omen_side_class class = {
    .thread = a->thread,
    .writes = { omen_kind_writes (a->kind), omen_kind_writes (b->kind) },
    .list = omen_crossings_list (c, a->object, b->object)
  };
  uint32_t half, *slot;
  uint64_t key;
  if (!c->lists.data[class.list].count)
    return DEAD;
  key = group_key (w, block, e1, e2);
  class.cover[0] = omen_covers_same (&c->covers, m->set_of[e1], m->set_of[e2]);
  half = step_id (w, &w->keys, key);
  half = step_id (w, &w->labels,
                  (uint64_t)3 << 62 | OMEN_PAIR (half, class.list));
  half = step_id (w, &w->labels,
                  (uint64_t)1 << 62
                      | OMEN_PAIR (half, class.cover[0] << 2
                                             | (uint32_t)class.writes[0] << 1
                                             | class.writes[1]));
  slot = omen_map_at (&w->seen,
                      (uint64_t)1 << 63 | OMEN_PAIR (half, class.thread));
  if (*slot == OMEN_NONE)
    *slot = new_class (w, &class, key);
  return *slot;
}

static void
add_window (walk *w, uint32_t block, omen_eid e1, omen_eid e2)
{
  omen_crossings *c = w->c;
  uint32_t class;
  if (c->windows.count >= OMEN_SIDES_MAX) {
    c->cut_short = true;
    return;
  }
  OMEN_ASSERT (e1 < e2
               && omen_model_thread (c->model, e1)
                      == omen_model_thread (c->model, e2));
  OMEN_ASSERT (c->windows.count == w->class_of.count);
  class = class_for (w, block, e1, e2);
  if (class == DEAD)
    return;
  c->classes.data[class].count++;
  OMEN_VEC_PUSH (c->windows, ((omen_side){ e1, e2 }));
  OMEN_VEC_PUSH (w->class_of, class);
}

/* ---- blocks and their events ---- */

static omen_vid
variable_of (const walk *w, omen_eid e)
{
  const omen_trace *trace = w->c->model->trace;
  return trace->places.data[omen_trace_event (trace, e)->object].variable;
}

static enum omen_bulk
bulk_of (const walk *w, omen_eid e)
{
  return w->c->bulk[omen_model_event (w->c->model, e)->object];
}

static uint64_t
chain_of (const walk *w, uint32_t block, omen_eid e)
{
  if (bulk_of (w, e) == OMEN_BULK_NOT)
    return OMEN_PAIR (block, variable_of (w, e));
  OMEN_ASSERT (block < 1u << 31);
  return (uint64_t)1 << 63
         | OMEN_PAIR (block, omen_model_event (w->c->model, e)->object);
}

static bool
is_same (uint32_t section, uint32_t other)
{
  return section == other && section != OMEN_NONE;
}

/* Add the windows that end with e in one block and begin before `end`: on the
   variable of e, then on others. */
static void
add_level_windows (walk *w, const level *l, omen_eid e, omen_eid end)
{
  omen_vid variable = variable_of (w, e);
  uint32_t section = omen_crossings_section (w->c, e);
  uint32_t f = omen_map_get (&w->chains, chain_of (w, l->block, e));
  if (is_same (section, l->section))
    return;
  for (; f != OMEN_NONE; f = w->firsts.data[f].previous)
    if (w->firsts.data[f].event < end
        && !is_same (section, w->firsts.data[f].section))
      add_window (w, l->block, w->firsts.data[f].event, e);
  if (bulk_of (w, e) != OMEN_BULK_NOT) {
    w->c->cut_short |= l->section != NO_ACCESS;
    return;
  }
  for (size_t k = 0; k < l->firsts.count; k++) {
    const first *e1 = &w->firsts.data[l->firsts.data[k]];
    if (e1->event >= end)
      break;
    if (k >= FIRSTS_MAX && !w->c->full) {
      w->c->cut_short = true;
      break;
    }
    if (variable_of (w, e1->event) != variable
        && !is_same (section, e1->section))
      add_window (w, l->block, e1->event, e);
  }
}

/* Is e an event of the main thread after all other threads have ended? */
static bool
is_late (const omen_crossings *c, omen_eid e)
{
  return omen_model_thread (c->model, e) == 0 && e >= c->alone.after;
}

/* Add windows with e as the second event. In each block only firsts from
   before the next inner block are used; the inner block has those of its
   own. */
static void
add_windows (walk *w, omen_eid e)
{
  const omen_model_region *blocks = w->c->model->blocks;
  omen_eid end = e;
  for (size_t i = w->levels.count; i-- > 0;) {
    const level *l = &w->levels.data[i];
    if (is_late (w->c, blocks[l->block].open))
      continue;
    add_level_windows (w, l, e, end);
    end = blocks[l->block].open;
  }
}

/* Update, for each open block, whether one critical section contains all its
   accesses so far. */
static void
note_section (walk *w, omen_eid e)
{
  uint32_t section = omen_crossings_section (w->c, e);
  for (size_t i = 0; i < w->levels.count; i++) {
    level *l = &w->levels.data[i];
    if (l->section == NO_ACCESS)
      l->section = section;
    else if (l->section != section)
      l->section = OMEN_NONE;
  }
}

static void
add_first (walk *w, level *l, omen_eid e)
{
  uint32_t *last = omen_map_at (&w->chains, chain_of (w, l->block, e));
  first f = { e, omen_crossings_section (w->c, e), *last };
  OMEN_ASSERT (*last == OMEN_NONE || w->firsts.data[*last].event < e);
  *last = (uint32_t)w->firsts.count;
  if (bulk_of (w, e) == OMEN_BULK_NOT)
    OMEN_VEC_PUSH (l->firsts, *last);
  OMEN_VEC_PUSH (w->firsts, f);
}

static void
add_firsts (walk *w, omen_eid e)
{
  uint32_t shape = shape_of (w, omen_model_event (w->c->model, e));
  for (size_t i = w->levels.count; i-- > 0;) {
    level *l = &w->levels.data[i];
    uint32_t *slot = omen_map_at (&w->seen, OMEN_PAIR (l->block, shape));
    if (*slot != OMEN_NONE && !w->c->full)
      return; /* then the blocks around it have one, too */
    *slot = 1;
    add_first (w, l, e);
  }
}

static void
close_level (walk *w, uint32_t block)
{
  for (size_t i = w->levels.count; i-- > 0;)
    if (w->levels.data[i].block == block) {
      OMEN_VEC_FINI (w->levels.data[i].firsts);
      w->levels.count--;
      memmove (w->levels.data + i, w->levels.data + i + 1,
               (w->levels.count - i) * sizeof *w->levels.data);
      return;
    }
}

static void
walk_event (walk *w, omen_eid e)
{
  omen_crossings *c = w->c;
  const omen_event *event = omen_model_event (c->model, e);
  uint32_t block = c->model->at[e];
  if (omen_takes_part (event)) {
    if (!c->matters[event->object] || !w->levels.count)
      return;
    if (c->bulk[event->object] == OMEN_BULK_WIDE) {
      c->cut_short = true;
      note_section (w, e);
      return;
    }
    if (event->thread != 0 || e >= c->alone.before)
      add_windows (w, e);
    if (!is_late (c, e))
      add_firsts (w, e);
    note_section (w, e);
  } else if (event->kind == OMEN_BEGIN || event->kind == OMEN_ENTER) {
    if (c->chosen[block])
      OMEN_VEC_PUSH (w->levels,
                     ((level){ .block = block, .section = NO_ACCESS }));
  } else if ((event->kind == OMEN_END || event->kind == OMEN_EXIT)
             && block != OMEN_NONE)
    close_level (w, block);
  else if (event->kind == OMEN_FORK)
    w->forked = true;
}

/* ---- all of them ---- */

/* Sort classes by group, windows by class. */
static void
sort_windows (walk *w)
{
  omen_crossings *c = w->c;
  size_t count = c->classes.count;
  omen_side_class *classes = omen_alloc ((count + 1) * sizeof *classes);
  omen_side *windows = omen_alloc ((c->windows.count + 1) * sizeof *windows);
  uint32_t sum = 0;
  omen_crossings_sort (c->windows.data, &w->class_of, c->classes.data, count,
                       windows, 0);
  for (size_t g = 0; g < c->groups.count; g++) {
    c->groups.data[g].first = sum;
    sum += c->groups.data[g].count;
    c->groups.data[g].count = 0;
  }
  OMEN_ASSERT (sum == count);
  for (size_t i = 0; i < count; i++) {
    omen_window_group *g = &c->groups.data[w->group_of.data[i]];
    classes[g->first + g->count++] = c->classes.data[i];
  }
  omen_free (c->classes.data);
  omen_free (c->windows.data);
  c->classes.data = classes;
  c->windows.data = windows;
}

#define CLOCK_EVERY 1024u /* events between two checks of the clock */

static void
walk_thread (walk *w, omen_tid t)
{
  const omen_trace *trace = w->c->model->trace;
  w->forked = false;
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    if (i % CLOCK_EVERY == 0 && omen_is_past (&w->c->deadline)) {
      w->c->cut_short = true;
      break;
    }
    walk_event (w, omen_trace_nth (trace, t, i));
  }
  while (w->levels.count)
    close_level (w, OMEN_VEC_LAST (w->levels).block);
  OMEN_VEC_CLEAR (w->firsts);
}

void
omen_crossings_windows (omen_crossings *c)
{
  walk w = { .c = c };
  omen_map *maps[]
      = { &w.shapes, &w.seen, &w.groups, &w.labels, &w.keys, &w.chains };
  for (size_t i = 0; i < OMEN_COUNT (maps); i++)
    omen_map_init (maps[i]);
  for (omen_tid t = 0; t < c->model->thread_count; t++)
    walk_thread (&w, t);
  sort_windows (&w);
  for (size_t i = 0; i < OMEN_COUNT (maps); i++)
    omen_map_fini (maps[i]);
  OMEN_VEC_FINI (w.levels);
  OMEN_VEC_FINI (w.firsts);
  OMEN_VEC_FINI (w.class_of);
  OMEN_VEC_FINI (w.group_of);
}
