/* Entries: events of another thread that may come between the two of a
   window. */
#include "predict/crossings_build.h"
#include "base/now.h"

#include <stdlib.h>

/* ---- the first accesses in blocks ---- */

static void
note_first (omen_map *map, uint64_t key, omen_eid e)
{
  uint32_t *slot = omen_map_at (map, key);
  if (*slot == OMEN_NONE)
    *slot = e;
}

static void
note_access (omen_crossings *c, uint32_t block, omen_eid e)
{
  const omen_model *m = c->model;
  omen_span atoms = omen_model_atoms (m, e);
  bool writes = omen_kind_writes (omen_model_event (m, e)->kind);
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
    if (!c->shared[a])
      continue;
    note_first (&c->first_access, OMEN_PAIR (block, a), e);
    if (writes)
      note_first (&c->first_write, OMEN_PAIR (block, a), e);
  }
}

/* The next maximal block that contains e, starting from `block` outwards. */
static uint32_t
maximal_from (const omen_crossings *c, uint32_t block, omen_eid e)
{
  while (
      block != OMEN_NONE
      && !(c->maximal[block] && omen_block_has (&c->model->blocks[block], e)))
    block = c->model->blocks[block].parent;
  return block;
}

void
omen_crossings_firsts (omen_crossings *c)
{
  const omen_model *m = c->model;
  for (omen_eid e = 0; e < m->event_count; e++) {
    const omen_event *event = omen_model_event (m, e);
    uint32_t b;
    if (!omen_takes_part (event) || !c->matters[event->object])
      continue;
    b = maximal_from (c, omen_model_block (m, e), e);
    for (; b != OMEN_NONE; b = maximal_from (c, m->blocks[b].parent, e))
      note_access (c, b, e);
  }
}

/* ---- one list ---- */

/* An e2' for entries of which only e2' is inside the window: its e1' is the
   next conflicting access of its block. */
typedef struct waiting {
  omen_eid event;
  uint32_t previous; /* in its block, or OMEN_NONE */
  bool met;          /* has its first access; still needs a write */
} waiting;

typedef struct listing {
  omen_crossings *c;
  omen_span second; /* atoms */
  OMEN_VEC (omen_side) sides;
  omen_ids class_of;
  omen_map keys, pairs; /* of classes; keys in two steps */
  size_t first_class;
  OMEN_VEC (waiting) waiting;
  omen_map last; /* block -> the latest one waiting */
} listing;

static bool
spans_overlap (omen_span a, omen_span b)
{
  return a.first < b.first + b.count && b.first < a.first + a.count;
}

/* The locks that keep an entry out of a window. If its second event is the
   earlier one, either event alone may come in; otherwise both do. */
static void
find_covers (omen_crossings *c, const omen_side *s, uint32_t *cover)
{
  const omen_model *m = c->model;
  uint32_t a = m->set_of[s->first], b = m->set_of[s->second];
  bool turned = s->second < s->first;
  cover[0] = omen_covers_both (&c->covers, a, turned ? a : b);
  cover[1] = turned ? omen_covers_both (&c->covers, b, b) : cover[0];
}

static void
add_entry (listing *l, omen_eid first, omen_eid second)
{
  omen_crossings *c = l->c;
  const omen_model *m = c->model;
  omen_side side = { first, second };
  omen_side_class class = {
    .thread = omen_model_thread (m, first),
    .writes = { omen_kind_writes (omen_model_event (m, first)->kind),
                omen_kind_writes (omen_model_event (m, second)->kind) }
  };
  uint64_t key;
  uint32_t *slot;
  find_covers (c, &side, class.cover);
  slot = omen_map_at (&l->pairs, OMEN_PAIR (class.cover[0], class.cover[1]));
  if (*slot == OMEN_NONE)
    *slot = l->pairs.count;
  key = (uint64_t)*slot << 2 | (uint64_t)class.writes[0] << 1 | class.writes[1];
  slot = omen_map_at (&l->keys, key << 28 | class.thread);
  OMEN_ASSERT (class.thread < 1u << 28);
  OMEN_ASSERT (omen_model_thread (m, second) == class.thread);
  if (*slot == OMEN_NONE) {
    *slot = (uint32_t)c->entry_classes.count;
    OMEN_VEC_PUSH (c->entry_classes, class);
  }
  c->entry_classes.data[*slot].count++;
  OMEN_VEC_PUSH (l->sides, side);
  OMEN_VEC_PUSH (l->class_of, *slot - (uint32_t)l->first_class);
}

/* The block's earliest event on an atom of the second place, according to the
   map. */
static omen_eid
first_in (const listing *l, const omen_map *map, uint32_t block)
{
  omen_eid least = OMEN_NONE;
  for (uint32_t i = 0; i < l->second.count; i++) {
    omen_eid e = omen_map_get (map, OMEN_PAIR (block, l->second.first + i));
    least = e < least ? e : least;
  }
  return least;
}

static void
add_first_pairs (listing *l, omen_eid e, uint32_t block)
{
  const omen_crossings *c = l->c;
  omen_eid access = first_in (l, &c->first_access, block);
  omen_eid write = first_in (l, &c->first_write, block);
  if (access != OMEN_NONE && access != e)
    add_entry (l, e, access);
  if (write != OMEN_NONE && write != access && write != e)
    add_entry (l, e, write);
}

/* e will be the second event of entries whose first event comes later. Not if
   it is the first of its block: then add_first_pairs pairs it with all of
   them. */
static void
add_waiting (listing *l, omen_eid e)
{
  const omen_crossings *c = l->c;
  const omen_model *m = c->model;
  uint32_t b = maximal_from (c, omen_model_block (m, e), e);
  for (; b != OMEN_NONE; b = maximal_from (c, m->blocks[b].parent, e)) {
    uint32_t *last;
    if (e == first_in (l, &c->first_access, b)
        || e == first_in (l, &c->first_write, b))
      continue;
    last = omen_map_at (&l->last, b);
    OMEN_VEC_PUSH (l->waiting, ((waiting){ e, *last, false }));
    *last = (uint32_t)l->waiting.count - 1;
  }
}

/* e is the next access of the first place, for some that wait the next write:
   pair them. */
static void
meet_waiting (listing *l, omen_eid e, uint32_t block)
{
  bool writes = omen_kind_writes (omen_model_event (l->c->model, e)->kind);
  uint32_t *last = omen_map_at (&l->last, block);
  for (uint32_t i = *last; i != OMEN_NONE; i = l->waiting.data[i].previous) {
    waiting *w = &l->waiting.data[i];
    if (w->met && !writes)
      break; /* the earlier ones have it, too */
    w->met = true;
    add_entry (l, e, w->event);
  }
  if (writes)
    *last = OMEN_NONE;
}

/* Pair e with every access of the second place that shares a chosen block with
   it. */
static void
add_all_pairs (listing *l, omen_eid e)
{
  const omen_model *m = l->c->model;
  for (uint32_t a = l->second.first; a < l->second.first + l->second.count; a++)
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++) {
      omen_eid f = m->accesses[i];
      uint32_t from;
      if (f == e || omen_model_thread (m, f) != omen_model_thread (m, e)
          || !omen_takes_part (omen_model_event (m, f)))
        continue;
      from = omen_model_atoms (m, f).first;
      if (a == (from > l->second.first ? from : l->second.first)
          && omen_atomic_block (m, l->c->chosen, e, f) != OMEN_NONE)
        add_entry (l, e, f);
    }
}

static void
add_entries (listing *l, omen_eid e)
{
  const omen_crossings *c = l->c;
  const omen_model *m = c->model;
  uint32_t b;
  if (spans_overlap (omen_model_atoms (m, e), l->second))
    add_entry (l, e, e);
  if (c->full) {
    add_all_pairs (l, e);
    return;
  }
  b = maximal_from (c, omen_model_block (m, e), e);
  for (; b != OMEN_NONE; b = maximal_from (c, m->blocks[b].parent, e)) {
    add_first_pairs (l, e, b);
    meet_waiting (l, e, b);
  }
}

void
omen_crossings_sort (const omen_side *sides, const omen_ids *class_of,
                     omen_side_class *classes, size_t count, omen_side *out,
                     uint32_t base)
{
  uint32_t sum = base;
  for (size_t i = 0; i < count; i++) {
    classes[i].first = sum;
    sum += classes[i].count;
    classes[i].count = 0;
  }
  OMEN_ASSERT (sum - base == class_of->count);
  for (size_t i = 0; i < class_of->count; i++) {
    omen_side_class *class = &classes[class_of->data[i]];
    OMEN_ASSERT (class_of->data[i] < count);
    out[class->first + class->count++ - base] = sides[i];
  }
}

/* Fill in `least` for the entries from `base` on. */
static void
find_least (omen_crossings *c, size_t first_class, uint32_t base)
{
  OMEN_VEC_RESERVE (c->least, c->entries.count + 1);
  c->least.count = c->entries.count;
  for (size_t k = first_class; k < c->entry_classes.count; k++) {
    const omen_side_class *class = &c->entry_classes.data[k];
    omen_eid least = OMEN_NONE;
    OMEN_ASSERT (class->first >= base);
    for (uint32_t i = class->first + class->count; i-- > class->first;) {
      const omen_side *s = &c->entries.data[i];
      omen_eid earlier = s->first < s->second ? s->first : s->second;
      least = earlier < least ? earlier : least;
      c->least.data[i] = least;
    }
  }
}

static void
close_list (listing *l)
{
  omen_crossings *c = l->c;
  uint32_t base = (uint32_t)c->entries.count;
  OMEN_VEC_RESERVE (c->entries, base + l->sides.count + 1);
  omen_crossings_sort (
      l->sides.data, &l->class_of, c->entry_classes.data + l->first_class,
      c->entry_classes.count - l->first_class, c->entries.data + base, base);
  c->entries.count += l->sides.count;
  find_least (c, l->first_class, base);
  OMEN_VEC_FINI (l->sides);
  OMEN_VEC_FINI (l->class_of);
  OMEN_VEC_FINI (l->waiting);
  omen_map_fini (&l->keys);
  omen_map_fini (&l->pairs);
  omen_map_fini (&l->last);
}

/* Accesses of the atoms that matter, each once, in the order of the trace. */
static void
gather_accesses (const omen_crossings *c, omen_span atoms, omen_ids *events)
{
  const omen_model *m = c->model;
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
    for (uint32_t i = m->atoms[a].first;
         c->shared[a] && i < m->atoms[a + 1].first; i++) {
      omen_eid e = m->accesses[i];
      uint32_t from = omen_model_atoms (m, e).first;
      if (a == (from > atoms.first ? from : atoms.first)
          && omen_takes_part (omen_model_event (m, e)))
        OMEN_VEC_PUSH (*events, omen_model_position (m, e));
    }
  if (atoms.count > 1 && events->count)
    qsort (events->data, events->count, sizeof (uint32_t), omen_compare_u32);
}

static void
make_list (omen_crossings *c, omen_pid first, omen_pid second)
{
  const omen_model *m = c->model;
  listing l = { .c = c,
                .second = m->place_atoms[second],
                .first_class = c->entry_classes.count };
  omen_ids firsts = { 0 }, seconds = { 0 };
  omen_map_init (&l.keys);
  omen_map_init (&l.pairs);
  omen_map_init (&l.last);
  gather_accesses (c, m->place_atoms[first], &firsts);
  if (!c->full)
    gather_accesses (c, l.second, &seconds);
  for (size_t i = 0, k = 0; i < firsts.count; i++) {
    while (k < seconds.count && seconds.data[k] < firsts.data[i])
      add_waiting (&l, omen_model_nth (m, seconds.data[k++]));
    add_entries (&l, omen_model_nth (m, firsts.data[i]));
  }
  OMEN_VEC_FINI (firsts);
  OMEN_VEC_FINI (seconds);
  close_list (&l);
}

uint32_t
omen_crossings_list (omen_crossings *c, omen_pid first, omen_pid second)
{
  uint32_t id = omen_map_get (&c->list_of, OMEN_PAIR (first, second));
  omen_entry_list list = { (uint32_t)c->entry_classes.count, 0 };
  OMEN_REQUIRE (first < c->model->trace->places.count
                && second < c->model->trace->places.count);
  if (id != OMEN_NONE)
    return id;
  if (c->entries.count < OMEN_SIDES_MAX && !omen_is_past (&c->deadline))
    make_list (c, first, second);
  else
    c->cut_short = true;
  list.count = (uint32_t)c->entry_classes.count - list.first;
  id = (uint32_t)c->lists.count;
  OMEN_VEC_PUSH (c->lists, list);
  *omen_map_at (&c->list_of, OMEN_PAIR (first, second)) = id;
  return id;
}
