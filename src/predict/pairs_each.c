/* Enumerates the pairs of events of a group, most promising first. */
#include "predict/pairs_build.h"

typedef struct asking {
  const omen_pairs *pairs;
  const omen_quick *quick; /* or NULL */
  omen_asker_each each;
  void *context;
  bool ordered; /* include pairs that are ordered by must-happen-before */
  bool stopped;
} asking;

/* Places may share several atoms; their pair is counted in the first one. */
static bool
first_common_atom (const omen_model *m, omen_eid a, omen_eid b, uint32_t atom)
{
  uint32_t x = omen_model_atoms (m, a).first, y = omen_model_atoms (m, b).first;
  return atom == (x > y ? x : y);
}

static void
ask_pair (asking *q, omen_eid a, omen_eid b, uint32_t atom)
{
  const omen_model *m = q->pairs->model;
  omen_eid pair[2] = { a, b };
  OMEN_ASSERT (omen_model_thread (m, a) != omen_model_thread (m, b));
  if (!first_common_atom (m, a, b, atom))
    return;
  if (omen_model_position (m, a) > omen_model_position (m, b)) {
    pair[0] = b;
    pair[1] = a;
  }
  q->stopped = !q->each (q->context, pair, 2);
}

/* How many members of the class come before position `end`. */
static uint32_t
members_before (const omen_pairs *p, const omen_access_class *c, uint32_t end)
{
  return OMEN_FIRST_NOT (
      i, 0, c->count,
      omen_model_position (p->model, p->members.data[c->first + i]) < end);
}

/* How many members have an index in their thread below `index`. */
static uint32_t
members_below (const omen_pairs *p, const omen_access_class *c, uint32_t index)
{
  return OMEN_FIRST_NOT (i, 0, c->count,
                         p->model->trace->index[p->members.data[c->first + i]]
                             < index);
}

/* Leave out members [low, high) of the class, `at` of them before b, that the
   quick clocks order with it. */
static void
narrow_partners (const asking *q, const omen_access_class *a, omen_eid b,
                 uint32_t at, uint32_t *low, uint32_t *high)
{
  const omen_model *m = q->pairs->model;
  const omen_eid *members = q->pairs->members.data + a->first;
  omen_tid t = omen_model_thread (m, b);
  uint32_t least
      = members_below (q->pairs, a, omen_quick_must (q->quick, b)[a->thread]);
  *low = least > *low ? least : *low;
  *high = OMEN_FIRST_NOT (i, at, *high,
                          omen_quick_must (q->quick, members[i])[t]
                              <= m->trace->index[b]);
}

/* Ask about the pairs of b with members of a that are unordered with it: the
   i-th nearest on each side, for `from` <= i < `to`. `later`: also members
   after b. */
static void
ask_around (asking *q, const omen_access_class *a, omen_eid b, uint32_t from,
            uint32_t to, bool later)
{
  const omen_pairs *p = q->pairs;
  const omen_model *m = p->model;
  const omen_eid *members = p->members.data + a->first;
  uint32_t low = members_below (p, a, omen_model_before (m, b, a->thread));
  uint32_t high = members_below (p, a, omen_model_after (m, b, a->thread));
  uint32_t at = members_before (p, a, omen_model_position (m, b));
  OMEN_ASSERT (low <= at && at <= high);
  if (q->ordered) {
    low = 0;
    high = a->count;
  } else if (q->quick)
    narrow_partners (q, a, b, at, &low, &high);
  if (!later)
    high = at;
  for (uint32_t i = from; i < to && !q->stopped; i++) {
    if (at - low <= i && high - at <= i)
      return;
    if (at - low > i)
      ask_pair (q, members[at - 1 - i], b, a->atom);
    if (!q->stopped && high - at > i)
      ask_pair (q, members[at + i], b, a->atom);
  }
}

static void
ask_classes (asking *q, const omen_class_pair *pair, uint32_t from, uint32_t to)
{
  const omen_pairs *p = q->pairs;
  const omen_access_class *a = &p->classes.data[pair->a],
                          *b = &p->classes.data[pair->b];
  for (uint32_t i = 0; i < b->count && !q->stopped; i++)
    ask_around (q, a, p->members.data[b->first + i], from, to, true);
}

/* Nearest neighbours of all class pairs first: they race most often. */
static void
ask_group (asking *q, const omen_pair_group *g)
{
  const omen_class_pair *pairs = q->pairs->pairs.data + g->pairs;
  for (uint32_t i = 0; i < g->count && !q->stopped; i++)
    ask_classes (q, &pairs[i], 0, 1);
  for (uint32_t i = 0; i < g->count && !q->stopped; i++)
    ask_classes (q, &pairs[i], 1, UINT32_MAX);
}

/* Ask about all earlier accesses that conflict with event b. */
static void
ask_event (asking *q, omen_eid b)
{
  const omen_pairs *p = q->pairs;
  const omen_model *m = p->model;
  omen_span atoms = omen_model_atoms (m, b);
  omen_access_class own = omen_access_class_of (m, b);
  for (uint32_t far = 0; far < 2; far++)
    for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
      for (uint32_t i = p->atom_classes[a];
           i < p->atom_classes[a + 1] && !q->stopped; i++)
        if (omen_classes_conflict (p, &p->classes.data[i], &own))
          ask_around (q, &p->classes.data[i], b, far, far ? UINT32_MAX : 1,
                      false);
}

static void
each_pair (asking *q, uint32_t id)
{
  const omen_pair_group *g = &q->pairs->groups.data[id];
  OMEN_REQUIRE (id < q->pairs->groups.count);
  OMEN_ASSERT (g->second == OMEN_NONE || !g->count);
  if (g->second != OMEN_NONE)
    ask_event (q, g->second);
  else
    ask_group (q, g);
}

void
omen_pairs_each (const omen_pairs *pairs, const omen_quick *quick, uint32_t id,
                 omen_asker_each each, void *context)
{
  asking q
      = { .pairs = pairs, .quick = quick, .each = each, .context = context };
  each_pair (&q, id);
}

void
omen_pairs_each_ordered (const omen_pairs *pairs, uint32_t id,
                         omen_asker_each each, void *context)
{
  asking q
      = { .pairs = pairs, .each = each, .context = context, .ordered = true };
  each_pair (&q, id);
}
