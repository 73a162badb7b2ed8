#include "predict/pairs_build.h"

#include <stdlib.h>

/* Limit of class pairs per group; more would never all be asked about. */
#define PAIRS_PER_GROUP 4096u

/* ---- classes of one atom ---- */

static bool
is_candidate (const omen_event *event)
{
  return event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
}

static uint32_t
class_for (omen_pairs *p, omen_map *map, uint32_t atom, omen_eid e)
{
  const omen_model *m = p->model;
  const omen_event *event = omen_model_event (m, e);
  uint32_t locks = m->sets[m->set_of[e]].locks;
  uint64_t kind = (uint64_t)omen_kind_reads (event->kind)
                  | (uint64_t)omen_kind_writes (event->kind) << 1
                  | (uint64_t)omen_kind_atomic (event->kind) << 2;
  uint64_t half = OMEN_PAIR (event->thread, event->location);
  uint32_t *first = omen_map_at (map, half * 8 + kind);
  uint32_t *slot;
  if (*first == OMEN_NONE)
    *first = map->count;
  /* in two steps, since three numbers do not fit into a key */
  slot = omen_map_at (map, (uint64_t)1 << 63 | OMEN_PAIR (*first, locks));
  if (*slot == OMEN_NONE) {
    omen_access_class c = omen_access_class_of (m, e);
    c.atom = atom;
    *slot = (uint32_t)p->classes.count;
    OMEN_VEC_PUSH (p->classes, c);
  }
  return *slot;
}

/* Put the accesses of an atom into classes; false if it is used by one thread
   only. */
static bool
classify (omen_pairs *p, uint32_t atom, omen_ids *class_of)
{
  const omen_model *m = p->model;
  const omen_atom *a = &m->atoms[atom];
  size_t first_class = p->classes.count;
  omen_map map;
  uint32_t sum = (uint32_t)p->members.count;
  if (m->atoms[atom + 1].first_cell - a->first_cell < 2)
    return false;
  omen_map_init (&map);
  OMEN_VEC_CLEAR (*class_of);
  for (uint32_t i = a->first; i < m->atoms[atom + 1].first; i++) {
    bool wanted = is_candidate (omen_model_event (m, m->accesses[i]));
    uint32_t c = wanted ? class_for (p, &map, atom, m->accesses[i]) : OMEN_NONE;
    OMEN_VEC_PUSH (*class_of, c);
    if (wanted)
      p->classes.data[c].count++;
  }
  omen_map_fini (&map);
  for (size_t c = first_class; c < p->classes.count; c++) {
    p->classes.data[c].first = sum;
    sum += p->classes.data[c].count;
    p->classes.data[c].count = 0;
  }
  OMEN_ASSERT (sum - p->members.count <= class_of->count);
  OMEN_VEC_RESERVE (p->members, sum);
  p->members.count = sum;
  for (uint32_t i = 0; i < class_of->count; i++)
    if (class_of->data[i] != OMEN_NONE) {
      omen_access_class *c = &p->classes.data[class_of->data[i]];
      p->members.data[c->first + c->count++] = m->accesses[a->first + i];
    }
  return true;
}

bool
omen_classes_conflict (const omen_pairs *p, const omen_access_class *a,
                       const omen_access_class *b)
{
  return a->thread != b->thread && (a->writes || b->writes)
         && !(a->atomic && b->atomic)
         && !omen_model_sets_exclude (p->model, a->set, b->set);
}

/* ---- groups ---- */

static uint32_t
group_for (omen_pairs *p, const omen_access_class *a,
           const omen_access_class *b)
{
  uint64_t key = 0;
  uint32_t *slot;
  switch (p->by) {
  case OMEN_GROUP_LOCATION:
    key = a->location < b->location ? OMEN_PAIR (a->location, b->location)
                                    : OMEN_PAIR (b->location, a->location);
    break;
  case OMEN_GROUP_VARIABLE:
    key = p->model->atoms[a->atom].variable;
    break;
  default:
    key = p->pairs.count;
    break;
  }
  slot = omen_map_at (&p->keys, key);
  if (*slot == OMEN_NONE) {
    *slot = (uint32_t)p->groups.count;
    OMEN_VEC_PUSH (p->groups, ((omen_pair_group){ 0, 0, OMEN_NONE }));
  }
  return *slot;
}

static uint32_t
pair_start (const omen_pairs *p, uint32_t a, uint32_t b)
{
  const omen_eid *members = p->members.data;
  uint32_t x
      = omen_model_position (p->model, members[p->classes.data[a].first]);
  uint32_t y
      = omen_model_position (p->model, members[p->classes.data[b].first]);
  return x > y ? x : y;
}

static void
add_pair (omen_pairs *p, uint32_t a, uint32_t b)
{
  uint32_t g = group_for (p, &p->classes.data[a], &p->classes.data[b]);
  OMEN_ASSERT (a < b && p->classes.data[a].atom == p->classes.data[b].atom);
  if (p->groups.data[g].count == PAIRS_PER_GROUP)
    return;
  p->groups.data[g].count++;
  OMEN_VEC_PUSH (p->pairs, ((omen_class_pair){ a, b, pair_start (p, a, b) }));
  OMEN_VEC_PUSH (p->pair_group, g);
}

/* The number of pairs may be quadratic in the lines of the program. */
static bool
is_late (omen_pairs *p)
{
  p->cut_short = p->cut_short || omen_is_past (&p->deadline);
  return p->cut_short;
}

static void
pair_classes (omen_pairs *p, uint32_t first)
{
  for (uint32_t a = first; a < p->classes.count && !is_late (p); a++)
    for (uint32_t b = a + 1; b < p->classes.count; b++)
      if (omen_classes_conflict (p, &p->classes.data[a], &p->classes.data[b]))
        add_pair (p, a, b);
}

static int
by_start (const void *a, const void *b)
{
  const omen_class_pair *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  return x->b < y->b ? -1 : x->b > y->b;
}

/* Sort pairs by group, and within a group early ones first, since early races
   have short schedules. */
static void
sort_pairs (omen_pairs *p)
{
  omen_class_pair *sorted = omen_alloc (p->pairs.count * sizeof *sorted);
  uint32_t sum = 0;
  for (size_t g = 0; g < p->groups.count; g++) {
    p->groups.data[g].pairs = sum;
    sum += p->groups.data[g].count;
    p->groups.data[g].count = 0;
  }
  OMEN_ASSERT (sum == p->pairs.count && p->pair_group.count == sum);
  for (size_t i = 0; i < p->pairs.count; i++) {
    omen_pair_group *g = &p->groups.data[p->pair_group.data[i]];
    sorted[g->pairs + g->count++] = p->pairs.data[i];
  }
  for (size_t g = 0; g < p->groups.count; g++)
    qsort (sorted + p->groups.data[g].pairs, p->groups.data[g].count,
           sizeof *sorted, by_start);
  omen_free (p->pairs.data);
  p->pairs.data = sorted;
  OMEN_VEC_FINI (p->pair_group);
}

/* Make a group for each event that conflicts with another one. */
static void
group_events (omen_pairs *p)
{
  const omen_model *m = p->model;
  uint8_t *paired = omen_zalloc (m->event_count, 1);
  for (uint32_t a = 0; a < m->atom_count; a++)
    for (uint32_t i = p->atom_classes[a];
         i < p->atom_classes[a + 1] && !is_late (p); i++) {
      bool wanted = false;
      for (uint32_t j = p->atom_classes[a];
           j < p->atom_classes[a + 1] && !wanted; j++)
        wanted = omen_classes_conflict (p, &p->classes.data[i],
                                        &p->classes.data[j]);
      for (uint32_t k = 0; wanted && k < p->classes.data[i].count; k++)
        paired[p->members.data[p->classes.data[i].first + k]] = 1;
    }
  for (uint32_t i = 0; i < m->event_count; i++)
    if (paired[omen_model_nth (m, i)])
      OMEN_VEC_PUSH (p->groups,
                     ((omen_pair_group){ 0, 0, omen_model_nth (m, i) }));
  omen_free (paired);
}

omen_pairs *
omen_pairs_new (const omen_model *model, omen_group_by by,
                omen_deadline deadline)
{
  omen_pairs *p = omen_zalloc (1, sizeof *p);
  omen_ids class_of = { 0 };
  p->model = model;
  p->by = by;
  p->deadline = deadline;
  p->atom_classes = omen_alloc ((model->atom_count + 1) * sizeof (uint32_t));
  omen_map_init (&p->keys);
  for (uint32_t a = 0; a < model->atom_count; a++) {
    p->atom_classes[a] = (uint32_t)p->classes.count;
    if (classify (p, a, &class_of) && by != OMEN_GROUP_EVENT)
      pair_classes (p, p->atom_classes[a]);
  }
  p->atom_classes[model->atom_count] = (uint32_t)p->classes.count;
  if (by == OMEN_GROUP_EVENT)
    group_events (p);
  else
    sort_pairs (p);
  OMEN_VEC_FINI (class_of);
  return p;
}

bool
omen_pairs_cut_short (const omen_pairs *p)
{
  return p->cut_short;
}

void
omen_pairs_free (omen_pairs *p)
{
  if (!p)
    return;
  OMEN_VEC_FINI (p->classes);
  OMEN_VEC_FINI (p->members);
  OMEN_VEC_FINI (p->pairs);
  OMEN_VEC_FINI (p->pair_group);
  OMEN_VEC_FINI (p->groups);
  omen_free (p->atom_classes);
  omen_map_fini (&p->keys);
  omen_free (p);
}

uint32_t
omen_pairs_groups (const omen_pairs *p)
{
  return (uint32_t)p->groups.count;
}
