#include "predict/crossings_build.h"

/* ---- blocks ---- */

const uint8_t *
omen_crossings_chosen (const omen_crossings *c)
{
  return c->chosen;
}

/* A chosen block is maximal if no chosen block around it contains all of it. */
static void
find_maximal (omen_crossings *c)
{
  const omen_model_region *blocks = c->model->blocks;
  c->maximal = omen_zalloc (c->model->block_count + 1, 1);
  for (uint32_t b = 0; b < c->model->block_count; b++) {
    uint32_t up = blocks[b].parent;
    OMEN_ASSERT (up == OMEN_NONE || up < b);
    while (up != OMEN_NONE
           && !(c->chosen[up] && blocks[up].close >= blocks[b].close))
      up = blocks[up].parent;
    c->maximal[b] = c->chosen[b] && up == OMEN_NONE;
  }
}

/* ---- places that matter ---- */

static bool
atom_is_shared (const omen_model *m, uint32_t atom)
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
leave_out (omen_crossings *c)
{
  const omen_model *m = c->model;
  for (size_t p = 0; p < m->trace->places.count; p++)
    if (omen_atomic_left_out (c->atomic, m->trace,
                              m->trace->places.data[p].variable))
      for (uint32_t i = 0; i < m->place_atoms[p].count; i++)
        c->shared[m->place_atoms[p].first + i] = 0;
}

static void
find_shared (omen_crossings *c)
{
  const omen_model *m = c->model;
  size_t places = m->trace->places.count;
  c->shared = omen_zalloc (m->atom_count + 1, 1);
  c->matters = omen_zalloc (places + 1, 1);
  for (uint32_t a = 0; a < m->atom_count; a++)
    c->shared[a] = atom_is_shared (m, a);
  leave_out (c);
  for (size_t p = 0; p < places; p++)
    for (uint32_t i = 0; i < m->place_atoms[p].count; i++)
      c->matters[p] |= c->shared[m->place_atoms[p].first + i];
}

/* A variable with more places than this counts as a buffer; a place with more
   atoms than this counts as a large part of one. */
#define BUFFER_PLACES 1024u
#define WIDE_ATOMS 256u

static void
find_bulk (omen_crossings *c)
{
  const omen_trace *trace = c->model->trace;
  uint32_t *places = omen_zalloc (c->model->variable_count + 1, sizeof *places);
  c->bulk = omen_zalloc (trace->places.count + 1, 1);
  for (size_t p = 0; p < trace->places.count; p++)
    places[trace->places.data[p].variable] += c->matters[p];
  for (size_t p = 0; p < trace->places.count && !c->full; p++) {
    if (c->model->place_atoms[p].count > WIDE_ATOMS)
      c->bulk[p] = OMEN_BULK_WIDE;
    else if (places[trace->places.data[p].variable] > BUFFER_PLACES)
      c->bulk[p] = OMEN_BULK_PART;
  }
  omen_free (places);
}

/* ---- all of them ---- */

omen_crossings *
omen_crossings_new (const omen_model *model, const omen_atomic *atomic,
                    omen_group_by by, bool full, omen_deadline deadline)
{
  omen_crossings *c = omen_zalloc (1, sizeof *c);
  c->model = model;
  c->atomic = atomic;
  c->by = by;
  c->deadline = deadline;
  c->full = full || by == OMEN_GROUP_NONE;
  omen_covers_init (&c->covers, model);
  omen_map_init (&c->first_access);
  omen_map_init (&c->first_write);
  omen_map_init (&c->list_of);
  c->chosen = omen_atomic_blocks (atomic, model);
  find_maximal (c);
  find_shared (c);
  find_bulk (c);
  omen_crossings_guards (c);
  if (!c->full)
    omen_crossings_firsts (c);
  omen_crossings_windows (c);
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
  OMEN_VEC_FINI (c->least);
  OMEN_VEC_FINI (c->classes);
  OMEN_VEC_FINI (c->windows);
  OMEN_VEC_FINI (c->groups);
  omen_free (c->chosen);
  omen_free (c->maximal);
  omen_free (c->shared);
  omen_free (c->matters);
  omen_free (c->bulk);
  omen_free (c->guard);
  omen_free (c);
}

uint32_t
omen_crossings_groups (const omen_crossings *c)
{
  return (uint32_t)c->groups.count;
}

void
omen_crossings_narrow (omen_crossings *c, const omen_quick *quick)
{
  c->quick = quick;
}

bool
omen_crossings_cut_short (const omen_crossings *c)
{
  return c->cut_short;
}

/* ---- compare-exchanges ---- */

omen_swaps
omen_crossing_swaps (const omen_model *m, const omen_eid *e, uint32_t way)
{
  omen_eid first = omen_model_swap (m, e[0], e[1]);
  omen_eid second = omen_model_swap (m, e[2], e[3]);
  bool both = omen_event_is_cas (omen_model_event (m, e[2]))
              && omen_event_is_cas (omen_model_event (m, e[3]));
  omen_swaps swaps = { .ways = both ? 2 : 1 };
  if (first == e[1]) /* e1 has a successor: its read is preserved anyway */
    swaps.kept[swaps.count++] = first;
  if (both)
    second = e[way ? 3 : 2];
  if (second != OMEN_NONE && !(swaps.count && second == first))
    swaps.kept[swaps.count++] = second;
  return swaps;
}

/* ---- instances ---- */

typedef struct asking {
  const omen_crossings *c;
  omen_asker_each each;
  void *context;
  bool stopped;
} asking;

static void
ask_crossing (asking *q, const omen_side *window, const omen_side *entry)
{
  const omen_model *m = q->c->model;
  omen_eid events[]
      = { window->first, entry->first, entry->second, window->second };
  OMEN_ASSERT (omen_model_thread (m, window->first)
               != omen_model_thread (m, entry->first));
  if (omen_model_must_before (m, events[1], events[0])
      || omen_model_must_before (m, events[3], events[2])
      || omen_atomic_starts (q->c->atomic, m, q->c->chosen, window->first,
                             window->second,
                             omen_model_thread (m, entry->first)))
    return;
  q->stopped = !q->each (q->context, events, 4);
}

/* How many entries of the class have their first event before position
   `end`. */
static uint32_t
entries_before (const omen_crossings *c, const omen_side_class *class,
                uint32_t end)
{
  const omen_side *entries = c->entries.data + class->first;
  return OMEN_FIRST_NOT (i, 0, class->count,
                         omen_model_position (c->model, entries[i].first)
                             < end);
}

/* Leave out entries [low, high) that the quick clocks exclude: the first event
   must come before the window's first, or both must come after its last. */
static void
narrow_entries (const omen_crossings *c, const omen_side *window,
                const omen_side_class *class, uint32_t *low, uint32_t *high)
{
  const uint32_t *index = c->model->trace->index;
  const omen_side *entries = c->entries.data + class->first;
  const omen_eid *least = c->least.data + class->first;
  omen_tid t = omen_model_thread (c->model, window->second);
  uint32_t before = omen_quick_must (c->quick, window->first)[class->thread];
  *low = OMEN_FIRST_NOT (i, 0, *high, index[entries[i].first] < before);
  *high = OMEN_FIRST_NOT (i, *low, *high,
                          omen_quick_must (c->quick, least[i])[t]
                              <= index[window->second]);
}

/* Ask about the entries around the end of the window: the `from`-th to the
   `to`-th nearest on each side. */
static void
ask_around (asking *q, const omen_side *window, const omen_side_class *class,
            uint32_t from, uint32_t to)
{
  const omen_crossings *c = q->c;
  const omen_side *entries = c->entries.data + class->first;
  uint32_t at = entries_before (c, class,
                                omen_model_position (c->model, window->second));
  uint32_t low = 0, high = class->count;
  OMEN_ASSERT (at <= class->count);
  if (c->quick)
    narrow_entries (c, window, class, &low, &high);
  at = at < low ? low : at > high ? high : at;
  for (uint32_t i = from; i < to && !q->stopped; i++) {
    if (at - low <= i && high - at <= i)
      return;
    if (at - low > i)
      ask_crossing (q, window, &entries[at - 1 - i]);
    if (!q->stopped && high - at > i)
      ask_crossing (q, window, &entries[at + i]);
  }
}

static void
ask_class (asking *q, const omen_side_class *class, uint32_t from, uint32_t to)
{
  const omen_crossings *c = q->c;
  const omen_entry_list *list = &c->lists.data[class->list];
  OMEN_ASSERT (class->list < c->lists.count);
  for (uint32_t i = 0; i < list->count; i++) {
    const omen_side_class *entry = &c->entry_classes.data[list->first + i];
    if (!omen_crossings_compatible (c, class, entry))
      continue;
    for (uint32_t k = 0; k < class->count && !q->stopped; k++)
      ask_around (q, &c->windows.data[class->first + k], entry, from, to);
  }
}

void
omen_crossings_each (const void *crossings, uint32_t group,
                     omen_asker_each each, void *context)
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
