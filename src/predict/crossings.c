#include "predict/crossings_build.h"
#include "base/now.h"
#include "base/seeded.h"

#include <string.h>

/* ---- blocks ---- */

const uint8_t *
omen_crossings_chosen (const omen_crossings *c)
{
  return c->chosen;
}

/* A block is maximal if no chosen one around it lasts as long. */
static void
find_maximal (omen_crossings *c)
{
  const omen_block *blocks = c->model->blocks;
  c->maximal = omen_zalloc (c->model->block_count + 1, 1);
  for (uint32_t b = 0; b < c->model->block_count; b++) {
    uint32_t up = blocks[b].parent;
    while (up != OMEN_NONE
           && !(c->chosen[up] && blocks[up].close >= blocks[b].close))
      up = blocks[up].parent;
    c->maximal[b] = c->chosen[b] && up == OMEN_NONE;
  }
}

/* ---- places that matter ---- */

static bool
is_shared (const omen_model *m, uint32_t atom)
{
  omen_tid one = OMEN_NONE;
  bool more = false, written = false;
  if (m->atoms[atom + 1].first_cell - m->atoms[atom].first_cell < 2)
    return false;
  for (uint32_t i = m->atoms[atom].first; i < m->atoms[atom + 1].first; i++) {
    const omen_event *event = omen_model_event (m, m->accesses[i]);
    if (!omen_takes_part (event))
      continue;
    more |= one != OMEN_NONE && event->thread != one;
    one = event->thread;
    written |= omen_kind_writes (event->kind);
    if (more && written)
      return true;
  }
  return false;
}

static void
leave_out (omen_crossings *c, const omen_atomic *atomic)
{
  const omen_model *m = c->model;
  for (size_t p = 0; p < m->trace->places.count; p++)
    if (omen_atomic_left_out (atomic, m->trace,
                              m->trace->places.data[p].variable))
      for (uint32_t i = 0; i < m->place_atoms[p].count; i++)
        c->shared[m->place_atoms[p].first + i] = 0;
}

static void
find_shared (omen_crossings *c, const omen_atomic *atomic)
{
  const omen_model *m = c->model;
  size_t places = m->trace->places.count;
  c->shared = omen_zalloc (m->atom_count + 1, 1);
  c->matters = omen_zalloc (places + 1, 1);
  for (uint32_t a = 0; a < m->atom_count; a++)
    c->shared[a] = is_shared (m, a);
  leave_out (c, atomic);
  for (size_t p = 0; p < places; p++)
    for (uint32_t i = 0; i < m->place_atoms[p].count; i++)
      c->matters[p] |= c->shared[m->place_atoms[p].first + i];
}

/* ---- windows ---- */

/* e1 of windows: an access that looks new in a block. */
typedef struct first {
  omen_eid event;
  uint32_t previous; /* of the same variable in the same block, or OMEN_NONE */
} first;

/* An open block of the thread that is walked. */
typedef struct level {
  uint32_t block;
  omen_ids firsts; /* in firsts of the walk, in order */
} level;

/* So many first events of a block go together with accesses of other variables.
   A block that touches more has more pairs than anybody wants to read. */
#define FIRSTS_MAX 64u

typedef struct walk {
  omen_crossings *c;
  OMEN_VEC (level) levels; /* by opening */
  OMEN_VEC (first) firsts; /* of the thread */
  omen_map chains;         /* (block, variable) -> the last of its firsts */
  omen_map looks;          /* (place, kind, location) -> id, in two steps */
  omen_map seen;           /* (block, look) */
  omen_map groups;         /* key -> group */
  omen_map labels;         /* (kind, name) of blocks and pairs -> id */
  omen_map keys;           /* of classes, in two steps */
  omen_ids class_of;       /* by window */
  omen_ids group_of;       /* by class */
  uint32_t steps;          /* ids given out by two-step keys */
} walk;

/* A third number does not fit into a key: the first two get an id. */
static uint32_t
step_id (walk *w, omen_map *map, uint64_t key)
{
  uint32_t *slot = omen_map_at (map, key);
  if (*slot == OMEN_NONE)
    *slot = w->steps++;
  OMEN_ASSERT (*slot < 1u << 30); /* the two bits above tell keys apart */
  return *slot;
}

static uint32_t
look_of (walk *w, const omen_event *event)
{
  uint32_t half = step_id (w, &w->looks, OMEN_PAIR (event->object, event->kind));
  return step_id (w, &w->looks,
                  (uint64_t)1 << 63 | OMEN_PAIR (half, event->location));
}

/* What windows of one report have in common. */
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
  half = step_id (w, &w->labels,
                  (uint64_t)1 << 63
                      | OMEN_PAIR (label,
                                   m->trace->places.data[a->object].variable));
  return OMEN_PAIR (half, m->trace->places.data[b->object].variable);
}

static bool
compatible (const omen_crossings *c, const omen_side_class *window,
            const omen_side_class *entry)
{
  return window->thread != entry->thread
         && (window->writes[0] || entry->writes[0])
         && (window->writes[1] || entry->writes[1])
         && !omen_covers_exclude (&c->covers, window->cover, entry->cover);
}

static bool
has_entries (const omen_crossings *c, const omen_side_class *window)
{
  const omen_entry_list *list = &c->lists.data[window->list];
  for (uint32_t i = 0; i < list->count; i++)
    if (compatible (c, window, &c->entry_classes.data[list->first + i]))
      return true;
  return false;
}

#define DEAD (OMEN_NONE - 1) /* a class without entries */

static uint32_t
new_class (walk *w, const omen_side_class *class, uint64_t key)
{
  omen_crossings *c = w->c;
  uint32_t *group;
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
  omen_side_class class
      = { .thread = a->thread,
          .writes = { omen_kind_writes (a->kind), omen_kind_writes (b->kind) },
          .list = omen_crossings_list (c, a->object, b->object) };
  uint64_t key = group_key (w, block, e1, e2);
  uint32_t half, *slot;
  class.cover
      = omen_covers_same (&c->covers, m->set_of[e1], m->set_of[e2]);
  half = step_id (w, &w->keys, key);
  half = step_id (w, &w->labels,
                  (uint64_t)3 << 62 | OMEN_PAIR (half, class.list));
  half = step_id (w, &w->labels,
                  (uint64_t)1 << 62
                      | OMEN_PAIR (half, class.cover << 2
                                             | (uint32_t)class.writes[0] << 1
                                             | class.writes[1]));
  slot = omen_map_at (&w->seen, (uint64_t)1 << 63
                                    | OMEN_PAIR (half, class.thread));
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
  class = class_for (w, block, e1, e2);
  if (class == DEAD)
    return;
  c->classes.data[class].count++;
  OMEN_VEC_PUSH (c->windows, ((omen_side){ e1, e2 }));
  OMEN_VEC_PUSH (w->class_of, class);
}

static omen_vid
variable_of (const walk *w, omen_eid e)
{
  const omen_trace *trace = w->c->model->trace;
  return trace->places.data[omen_trace_event (trace, e)->object].variable;
}

/* Windows that end with e in one block, and begin before `end`: on e's own
   variable, then on others. */
static void
add_level_windows (walk *w, const level *l, omen_eid e, omen_eid end)
{
  omen_vid variable = variable_of (w, e);
  uint32_t f = omen_map_get (&w->chains, OMEN_PAIR (l->block, variable));
  for (; f != OMEN_NONE; f = w->firsts.data[f].previous)
    if (w->firsts.data[f].event < end)
      add_window (w, l->block, w->firsts.data[f].event, e);
  for (size_t k = 0; k < l->firsts.count; k++) {
    omen_eid e1 = w->firsts.data[l->firsts.data[k]].event;
    if (e1 >= end)
      break;
    if (k >= FIRSTS_MAX && !w->c->full) {
      w->c->cut_short = true;
      break;
    }
    if (variable_of (w, e1) != variable)
      add_window (w, l->block, e1, e);
  }
}

/* e as the second event of windows: with what is in a block but not in the next
   block inside, which has its own. */
static void
add_windows (walk *w, omen_eid e)
{
  const omen_block *blocks = w->c->model->blocks;
  omen_eid end = e;
  for (size_t i = w->levels.count; i-- > 0;) {
    const level *l = &w->levels.data[i];
    add_level_windows (w, l, e, end);
    end = OMEN_BUG (206) ? 0 : blocks[l->block].open;
  }
}

static void
add_first (walk *w, level *l, omen_eid e)
{
  uint32_t *last
      = omen_map_at (&w->chains, OMEN_PAIR (l->block, variable_of (w, e)));
  first f = { e, *last };
  *last = (uint32_t)w->firsts.count;
  OMEN_VEC_PUSH (l->firsts, *last);
  OMEN_VEC_PUSH (w->firsts, f);
}

static void
add_firsts (walk *w, omen_eid e)
{
  uint32_t look = look_of (w, omen_model_event (w->c->model, e));
  for (size_t i = w->levels.count; i-- > 0;) {
    level *l = &w->levels.data[i];
    uint32_t *slot = omen_map_at (&w->seen, OMEN_PAIR (l->block, look));
    if (*slot != OMEN_NONE && !w->c->full)
      return; /* then the blocks around have seen it, too */
    *slot = 1;
    add_first (w, l, e);
  }
}

static void
close_level (walk *w, uint32_t block)
{
  for (size_t i = w->levels.count; i-- > 0;)
    if (w->levels.data[i].block == block || OMEN_BUG (208)) {
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
    add_windows (w, e);
    add_firsts (w, e);
  } else if (event->kind == OMEN_BEGIN || event->kind == OMEN_ENTER) {
    if (c->chosen[block])
      OMEN_VEC_PUSH (w->levels, ((level){ .block = block }));
  } else if ((event->kind == OMEN_END || event->kind == OMEN_EXIT)
             && block != OMEN_NONE)
    close_level (w, block);
}

/* Classes by group, windows by class. */
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
  for (size_t i = 0; i < count; i++) {
    omen_window_group *g = &c->groups.data[w->group_of.data[i]];
    classes[g->first + g->count++] = c->classes.data[i];
  }
  omen_free (c->classes.data);
  omen_free (c->windows.data);
  c->classes.data = classes;
  c->windows.data = windows;
}

#define CLOCK_EVERY 1024u /* events */

static void
walk_thread (walk *w, omen_tid t, double deadline)
{
  const omen_trace *trace = w->c->model->trace;
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    if (i % CLOCK_EVERY == 0 && omen_is_past (deadline)) {
      w->c->cut_short = true;
      break;
    }
    walk_event (w, omen_trace_nth (trace, t, i));
  }
  while (w->levels.count)
    close_level (w, OMEN_VEC_LAST (w->levels).block);
  OMEN_VEC_CLEAR (w->firsts);
}

static void
find_windows (omen_crossings *c, double deadline)
{
  walk w = { .c = c };
  omen_map *maps[]
      = { &w.looks, &w.seen, &w.groups, &w.labels, &w.keys, &w.chains };
  for (size_t i = 0; i < OMEN_COUNT (maps); i++)
    omen_map_init (maps[i]);
  for (omen_tid t = 0; t < c->model->thread_count; t++)
    walk_thread (&w, t, deadline);
  sort_windows (&w);
  for (size_t i = 0; i < OMEN_COUNT (maps); i++)
    omen_map_fini (maps[i]);
  OMEN_VEC_FINI (w.levels);
  OMEN_VEC_FINI (w.firsts);
  OMEN_VEC_FINI (w.class_of);
  OMEN_VEC_FINI (w.group_of);
}

/* ---- all of them ---- */

omen_crossings *
omen_crossings_new (const omen_model *model, const omen_atomic *atomic,
                    omen_group_by by, bool full, double deadline)
{
  omen_crossings *c = omen_zalloc (1, sizeof *c);
  c->model = model;
  c->by = by;
  c->full = full || by == OMEN_GROUP_NONE;
  omen_covers_init (&c->covers, model);
  omen_map_init (&c->first_access);
  omen_map_init (&c->first_write);
  omen_map_init (&c->list_of);
  c->chosen = omen_atomic_blocks (atomic, model);
  find_maximal (c);
  find_shared (c, atomic);
  if (!c->full)
    omen_crossings_firsts (c);
  find_windows (c, deadline);
  return c;
}

void
omen_crossings_free (omen_crossings *c)
{
  if (!c)
    return;
  omen_covers_fini (&c->covers);
  omen_map_fini (&c->first_access);
  omen_map_fini (&c->first_write);
  omen_map_fini (&c->list_of);
  OMEN_VEC_FINI (c->lists);
  OMEN_VEC_FINI (c->entry_classes);
  OMEN_VEC_FINI (c->entries);
  OMEN_VEC_FINI (c->classes);
  OMEN_VEC_FINI (c->windows);
  OMEN_VEC_FINI (c->groups);
  omen_free (c->chosen);
  omen_free (c->maximal);
  omen_free (c->shared);
  omen_free (c->matters);
  omen_free (c);
}

uint32_t
omen_crossings_groups (const omen_crossings *c)
{
  return (uint32_t)c->groups.count;
}

bool
omen_crossings_cut_short (const omen_crossings *c)
{
  return c->cut_short;
}

/* ---- instances ---- */

typedef struct asking {
  const omen_crossings *c;
  omen_instance each;
  void *context;
  bool stopped;
} asking;

static void
ask (asking *q, const omen_side *window, const omen_side *entry)
{
  const omen_model *m = q->c->model;
  omen_eid events[]
      = { window->first, entry->first, entry->second, window->second };
  if (omen_model_must_before (m, events[1], events[0])
      || omen_model_must_before (m, events[3], events[2]))
    return;
  q->stopped = !q->each (q->context, events, 4);
}

/* Entries of the class whose first is at a position below `end`. */
static uint32_t
entries_before (const omen_crossings *c, const omen_side_class *class,
                uint32_t end)
{
  const omen_side *entries = c->entries.data + class->first;
  uint32_t low = 0, high = class->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (omen_model_position (c->model, entries[middle].first) < end)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The entries around the window's end, from the `from`-th to the `to`-th
   nearest on each side. */
static void
ask_around (asking *q, const omen_side *window, const omen_side_class *class,
            uint32_t from, uint32_t to)
{
  const omen_crossings *c = q->c;
  const omen_side *entries = c->entries.data + class->first;
  uint32_t at = entries_before (
      c, class, omen_model_position (c->model, window->second));
  for (uint32_t i = from; i < to && !q->stopped; i++) {
    if (at <= i && class->count - at <= i)
      return;
    if (at > i)
      ask (q, window, &entries[at - 1 - i]);
    if (!q->stopped && class->count - at > i + OMEN_BUG (205))
      ask (q, window, &entries[at + i]);
  }
}

static void
ask_class (asking *q, const omen_side_class *class, uint32_t from, uint32_t to)
{
  const omen_crossings *c = q->c;
  const omen_entry_list *list = &c->lists.data[class->list];
  for (uint32_t i = 0; i < list->count; i++) {
    const omen_side_class *entry = &c->entry_classes.data[list->first + i];
    if (!compatible (c, class, entry))
      continue;
    for (uint32_t k = 0; k < class->count && !q->stopped; k++)
      ask_around (q, &c->windows.data[class->first + k], entry, from, to);
  }
}

void
omen_crossings_each (const void *crossings, uint32_t group,
                     omen_instance each, void *context)
{
  const omen_crossings *c = crossings;
  asking q = { c, each, context, false };
  const omen_window_group *g = &c->groups.data[group];
  OMEN_REQUIRE (group < c->groups.count);
  for (uint32_t i = 0; i < g->count && !q.stopped; i++)
    ask_class (&q, &c->classes.data[g->first + i], 0, 1);
  for (uint32_t i = 0; i < g->count && !q.stopped; i++)
    ask_class (&q, &c->classes.data[g->first + i], 1, UINT32_MAX);
}
