#include "predict/property/pattern_shape.h"
#include "monitor/threads.h"

/* Reader of the pattern machine's words (monitor/threads.h); collects the paths
   through one part. */
typedef struct reader {
  const uint32_t *head, *starts, *nodes, *edges;
  OMEN_VEC (omen_shape) ways;
  omen_shape way;                        /* the current one */
  uint32_t on_way[OMEN_SHAPE_STEPS + 1]; /* its nodes */
  bool too_many;
} reader;

static void
reader_init (reader *r, const uint32_t *words)
{
  *r = (reader){ .head = words, .starts = words + OMEN_THREADS_FIRST };
  r->nodes = r->starts
             + words[OMEN_THREADS_ALTERNATIVES] * words[OMEN_THREADS_PARTS];
  r->edges = r->nodes + 2 * words[OMEN_THREADS_NODES];
}

/* ---- ways ---- */

static bool
has_been (const reader *r, uint32_t node)
{
  for (uint32_t i = 0; i <= r->way.count; i++)
    if (r->on_way[i] == node)
      return true;
  return false;
}

static omen_shape_step
step_of (const reader *r, const uint32_t *edge, uint32_t from)
{
  uint32_t waits = OMEN_THREADS_WAITS | OMEN_THREADS_END;
  return (omen_shape_step){ .event = edge[0],
                            .name = edge[1],
                            .region
                            = edge[2] == OMEN_NONE ? OMEN_NONE : edge[2] / 2,
                            .ends = edge[2] != OMEN_NONE && edge[2] % 2,
                            .glued = !(r->nodes[2 * from + 1] & waits),
                            .first = !r->way.count };
}

/* Extend the current path in all ways to an end node. */
static void
go_on (reader *r)
{
  uint32_t at = r->on_way[r->way.count];
  OMEN_ASSERT (r->way.count <= OMEN_SHAPE_STEPS
               && at < r->head[OMEN_THREADS_NODES]);
  uint32_t end = at + 1 < r->head[OMEN_THREADS_NODES]
                     ? r->nodes[2 * at + 2]
                     : r->head[OMEN_THREADS_EDGES];
  if (r->way.count && r->nodes[2 * at + 1] & OMEN_THREADS_END) {
    r->too_many |= r->ways.count == 4 * OMEN_SHAPES_MAX;
    if (!r->too_many)
      OMEN_VEC_PUSH (r->ways, r->way);
    return;
  }
  for (uint32_t i = r->nodes[2 * at]; i < end && !r->too_many; i++) {
    const uint32_t *edge = r->edges + 4 * i;
    if (has_been (r, edge[3]))
      continue;
    if (r->way.count == OMEN_SHAPE_STEPS) {
      r->too_many = true;
      return;
    }
    r->way.steps[r->way.count] = step_of (r, edge, at);
    r->on_way[++r->way.count] = edge[3];
    go_on (r);
    r->way.count--;
  }
}

/* ---- ways that are contained in others ---- */

static bool
same_step (const omen_shape_step *a, const omen_shape_step *b)
{
  return a->event == b->event && a->name == b->name && a->region == b->region
         && a->ends == b->ends;
}

static bool
has_glue (const omen_shape *s)
{
  for (uint32_t i = 0; i < s->count; i++)
    if (s->steps[i].glued)
      return true;
  return false;
}

/* Does every run with the steps of `large` also have those of `small`? */
static bool
contains (const omen_shape *large, const omen_shape *small)
{
  uint32_t found = 0;
  if (has_glue (small))
    return false;
  for (uint32_t i = 0; i < large->count && found < small->count; i++)
    found += same_step (&large->steps[i], &small->steps[found]);
  return found == small->count;
}

static void
keep_least (reader *r)
{
  size_t count = r->ways.count, kept = 0;
  uint8_t *gone = omen_zalloc (count, 1);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count && !gone[i]; k++) {
      const omen_shape *way = &r->ways.data[i], *other = &r->ways.data[k];
      gone[i]
          = (other->count < way->count || (other->count == way->count && k < i))
            && contains (way, other);
    }
  for (size_t i = 0; i < count; i++)
    if (!gone[i])
      r->ways.data[kept++] = r->ways.data[i];
  OMEN_ASSERT (kept > 0 || !count); /* a minimal one contains no other */
  r->ways.count = kept;
  omen_free (gone);
}

/* ---- regions ---- */

/* Does each region begin once and then end once, within one part? */
static bool
regions_fit (const omen_shape *s)
{
  uint32_t begun = 0, ended = 0; /* bit sets of regions */
  uint32_t part_of[OMEN_THREADS_REGIONS_MAX], part = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const omen_shape_step *step = &s->steps[i];
    uint32_t bit = step->region == OMEN_NONE ? 0 : 1u << step->region;
    part += step->first;
    if (!bit)
      continue;
    OMEN_ASSERT (step->region < OMEN_THREADS_REGIONS_MAX);
    if (step->ends
            ? !(begun & bit) || ended & bit || part_of[step->region] != part
            : begun & bit)
      return false;
    if (!step->ends)
      part_of[step->region] = part;
    *(step->ends ? &ended : &begun) |= bit;
  }
  return begun == ended;
}

/* ---- shapes ---- */

static bool
add_shape (omen_shapes *shapes, const omen_shape *shape)
{
  if (shapes->list.count == OMEN_SHAPES_MAX || !shape->count
      || !regions_fit (shape))
    return false;
  OMEN_VEC_PUSH (shapes->list, *shape);
  return true;
}

/* Find the paths of a part. The empty path is included only if the alternative
   has other parts. */
static void
find_ways (reader *r, uint32_t start, bool others)
{
  OMEN_VEC_CLEAR (r->ways);
  OMEN_ASSERT (!r->way.count);
  if (others && r->nodes[2 * start + 1] & OMEN_THREADS_END)
    OMEN_VEC_PUSH (r->ways, r->way);
  r->on_way[0] = start;
  go_on (r);
  keep_least (r);
}

/* Combine all paths of an alternative's parts, from `part` on. */
static bool
add_parts (omen_shapes *shapes, reader *r, const uint32_t *starts,
           uint32_t part, const omen_shape *so_far)
{
  uint32_t parts = r->head[OMEN_THREADS_PARTS];
  OMEN_VEC (omen_shape) ways = { 0 };
  bool good;
  OMEN_ASSERT (part <= parts && so_far->count <= OMEN_SHAPE_STEPS);
  if (part == parts || starts[part] == OMEN_NONE)
    return add_shape (shapes, so_far);
  find_ways (r, starts[part], parts > 1 && starts[1] != OMEN_NONE);
  for (size_t i = 0; i < r->ways.count; i++)
    OMEN_VEC_PUSH (ways, r->ways.data[i]);
  good = !r->too_many;
  for (size_t i = 0; i < ways.count && good; i++) {
    omen_shape longer = *so_far;
    good = longer.count + ways.data[i].count <= OMEN_SHAPE_STEPS;
    for (uint32_t k = 0; good && k < ways.data[i].count; k++)
      longer.steps[longer.count++] = ways.data[i].steps[k];
    good = good && add_parts (shapes, r, starts, part + 1, &longer);
  }
  OMEN_VEC_FINI (ways);
  return good;
}

static bool
add_alternatives (omen_shapes *shapes, reader *r)
{
  const omen_shape none = { 0 };
  uint32_t parts = r->head[OMEN_THREADS_PARTS];
  for (uint32_t a = 0; a < r->head[OMEN_THREADS_ALTERNATIVES]; a++)
    if (!add_parts (shapes, r, r->starts + a * parts, 0, &none))
      return false;
  return true;
}

static uint64_t
event_set (const uint32_t *words)
{
  return (uint64_t)words[1] << 32 | words[0];
}

bool
omen_shapes_init (omen_shapes *shapes, const omen_formula *formula)
{
  const uint32_t *words = formula->machine.words;
  reader r;
  bool good;
  *shapes = (omen_shapes){ 0 };
  if (formula->machine.engine != &omen_engine_threads)
    return false;
  reader_init (&r, words);
  shapes->names = words[OMEN_THREADS_NAMES];
  shapes->begins = event_set (words + OMEN_THREADS_BEGINS);
  shapes->ends = event_set (words + OMEN_THREADS_ENDS);
  good = !(shapes->begins & shapes->ends) && add_alternatives (shapes, &r);
  OMEN_VEC_FINI (r.ways);
  if (!good)
    omen_shapes_fini (shapes);
  return good;
}

void
omen_shapes_fini (omen_shapes *shapes)
{
  OMEN_VEC_FINI (shapes->list);
}
