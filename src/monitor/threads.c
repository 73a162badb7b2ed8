/* The engine for patterns: all attempts at a match at once.

   An attempt is a node for each part, a thread for each name that has one, and a
   region for each name of one: a row of words. A region is known by its thread
   and how deep it is nested there, and ends with the end that pairs with its
   begin; an attempt that lets the end of its region pass by is given up. The
   attempt that has not begun is not kept: it is always there. */
#include "monitor/threads.h"
#include "monitor/machine.h"
#include "monitor/property.h"
#include "monitor/table.h"

#include <string.h>

/* Values of a thread name or region in a row. */
#define FREE OMEN_NONE
#define ENDED (OMEN_NONE - 1)

typedef struct depth {
  uint32_t thread, open;
} depth;

typedef struct state {
  uint32_t *rows; /* ascending, all different */
  depth *depths;  /* threads with open regions, ascending */
  uint32_t count, depth_count;
  uint64_t match;
} state;

typedef struct program {
  const uint32_t *head, *starts, *nodes, *edges, *lands;
  uint32_t parts, width; /* words of a row */
} program;

static program
program_of (const uint32_t *words)
{
  program p = { .head = words, .parts = words[OMEN_THREADS_PARTS] };
  p.width = p.parts + words[OMEN_THREADS_NAMES]
            + 2 * words[OMEN_THREADS_REGIONS];
  p.starts = words + OMEN_THREADS_FIRST;
  p.nodes = p.starts + words[OMEN_THREADS_ALTERNATIVES] * p.parts;
  p.edges = p.nodes + 2 * words[OMEN_THREADS_NODES];
  p.lands = p.edges + 4 * words[OMEN_THREADS_EDGES];
  return p;
}

/* ---- words ---- */

static bool
edges_fit (const program *p)
{
  const uint32_t *head = p->head;
  for (uint32_t i = 0; i < head[OMEN_THREADS_EDGES]; i++) {
    const uint32_t *e = p->edges + 4 * i;
    if (e[0] >= head[OMEN_THREADS_EVENTS]
        || (e[1] != OMEN_NONE && e[1] >= head[OMEN_THREADS_NAMES])
        || (e[2] != OMEN_NONE && e[2] / 2 >= head[OMEN_THREADS_REGIONS])
        || e[3] >= head[OMEN_THREADS_NODES])
      return false;
  }
  for (uint32_t i = 0; i < head[OMEN_THREADS_NODES]; i++)
    if (p->nodes[2 * i] > head[OMEN_THREADS_EDGES]
        || (i && p->nodes[2 * i] < p->nodes[2 * i - 2]))
      return false;
  for (uint32_t i = 0; i < head[OMEN_THREADS_ALTERNATIVES] * p->parts; i++)
    if (p->starts[i] != OMEN_NONE && p->starts[i] >= head[OMEN_THREADS_NODES])
      return false;
  return true;
}

static bool
valid (const uint32_t *words, uint32_t count, uint32_t events,
       uint32_t predicates)
{
  program p;
  uint64_t want = OMEN_THREADS_FIRST;
  (void)predicates;
  if (count < OMEN_THREADS_FIRST || words[OMEN_THREADS_EVENTS] != events
      || events > OMEN_EVENTS_MAX
      || words[OMEN_THREADS_PARAMETERS] > OMEN_PARAMETERS_MAX
      || words[OMEN_THREADS_NAMES] > OMEN_THREADS_NAMES_MAX
      || words[OMEN_THREADS_REGIONS] > OMEN_THREADS_REGIONS_MAX
      || !words[OMEN_THREADS_PARTS]
      || words[OMEN_THREADS_PARTS] > OMEN_THREADS_PARTS_MAX)
    return false;
  want += (uint64_t)words[OMEN_THREADS_ALTERNATIVES] * words[OMEN_THREADS_PARTS]
          + 4 * (uint64_t)words[OMEN_THREADS_EDGES]
          + (uint64_t)words[OMEN_THREADS_NODES]
                * (2 + omen_lands_words (words[OMEN_THREADS_PARAMETERS]));
  if (want != count)
    return false;
  p = program_of (words);
  return edges_fit (&p);
}

static uint32_t
edges_end (const program *p, uint32_t node)
{
  return node + 1 < p->head[OMEN_THREADS_NODES] ? p->nodes[2 * node + 2]
                                                : p->head[OMEN_THREADS_EDGES];
}

static uint32_t
flags (const program *p, uint32_t node)
{
  return p->nodes[2 * node + 1];
}

static bool
in_set (const uint32_t *set, uint32_t event)
{
  return set[event / 32] >> event % 32 & 1;
}

/* ---- one event ---- */

#define WIDTH_MAX                                                              \
  (OMEN_THREADS_PARTS_MAX + OMEN_THREADS_NAMES_MAX                             \
   + 2 * OMEN_THREADS_REGIONS_MAX)

typedef struct mover {
  program p;
  const omen_letter *letter;
  const omen_memory *memory;
  uint32_t region; /* nesting of the region that begins or ends here, or 0 */
  bool begins, ends;
  uint32_t *rows;
  uint32_t count, room;
  bool match, full;
} mover;

static void
keep (mover *m, const uint32_t *row)
{
  size_t bytes = m->p.width * sizeof *row;
  if (m->count == m->room) {
    uint32_t room = m->room ? 2 * m->room : OMEN_HARD_OR (1, 8);
    uint32_t *rows = omen_memory_get (m->memory, room * bytes);
    if (!rows) {
      m->full = true;
      return;
    }
    if (m->count)
      memcpy (rows, m->rows, m->count * bytes);
    omen_memory_put (m->memory, m->rows, m->room * bytes);
    m->rows = rows;
    m->room = room;
  }
  memcpy (m->rows + (size_t)m->count++ * m->p.width, row, bytes);
}

/* The name's thread is this one, or may be. */
static bool
take_thread (const mover *m, uint32_t name, uint32_t *row)
{
  uint32_t *names = row + m->p.parts;
  if (name == OMEN_NONE)
    return true;
  if (names[name] != FREE)
    return names[name] == m->letter->thread;
  for (uint32_t i = 0; i < m->p.head[OMEN_THREADS_NAMES]; i++)
    if (names[i] == m->letter->thread)
      return false;
  names[name] = m->letter->thread;
  return true;
}

static uint32_t *
region_of (const mover *m, uint32_t *row, uint32_t region)
{
  return row + m->p.parts + m->p.head[OMEN_THREADS_NAMES] + 2 * region;
}

static bool
is_this_region (const mover *m, const uint32_t *region)
{
  return region[0] == m->letter->thread && region[1] == m->region;
}

static bool
take_region (const mover *m, uint32_t what, uint32_t *row)
{
  uint32_t *region;
  if (what == OMEN_NONE)
    return true;
  region = region_of (m, row, what / 2);
  if (what % 2) {
    if (!m->ends || !m->region || !is_this_region (m, region))
      return false;
    region[0] = region[1] = ENDED;
    return true;
  }
  if (!m->begins || (region[0] != FREE && region[0] != ENDED))
    return false;
  region[0] = m->letter->thread;
  region[1] = m->region;
  return true;
}

/* All parts are where they are after this event. A match may go on, if it ends
   in something repeated. */
static void
arrive (mover *m, uint32_t *row)
{
  const program *p = &m->p;
  bool done = true, more = false;
  for (uint32_t i = 0; i < p->parts; i++) {
    if (row[i] == OMEN_NONE)
      continue;
    done &= (flags (p, row[i]) & OMEN_THREADS_END) != 0;
    more |= p->nodes[2 * row[i]] < edges_end (p, row[i]);
  }
  m->match |= done;
  if (done && !more)
    return;
  for (uint32_t r = 0; m->ends && r < m->p.head[OMEN_THREADS_REGIONS]; r++)
    if (is_this_region (m, region_of (m, row, r)))
      return; /* its end has passed by */
  keep (m, row);
}

/* Part by part: it takes the event in one of its ways, or waits. */
static void
move_parts (mover *m, const uint32_t *row, uint32_t part, bool moved)
{
  const program *p = &m->p;
  uint32_t next[WIDTH_MAX], node;
  memcpy (next, row, p->width * sizeof *row);
  if (part == p->parts) {
    if (moved)
      arrive (m, next);
    return;
  }
  node = row[part];
  if (node == OMEN_NONE) {
    move_parts (m, row, part + 1, moved);
    return;
  }
  if (m->letter->apart
      && !(flags (p, node) & (OMEN_THREADS_WAITS | OMEN_THREADS_END)))
    return; /* it waits for a letter parallel to the last one */
  for (uint32_t i = p->nodes[2 * node]; i < edges_end (p, node); i++) {
    const uint32_t *edge = p->edges + 4 * i;
    if (edge[0] != m->letter->event)
      continue;
    memcpy (next, row, p->width * sizeof *row);
    if (take_thread (m, edge[1], next) && take_region (m, edge[2], next)) {
      next[part] = edge[3];
      move_parts (m, next, part + 1, true);
    }
  }
  if (flags (p, node) & (OMEN_THREADS_WAITS | OMEN_THREADS_END))
    move_parts (m, row, part + 1, moved);
}

/* An attempt that does not take the event stays, if it may. */
static void
stay (mover *m, const uint32_t *row)
{
  uint32_t copy[WIDTH_MAX];
  for (uint32_t i = 0; i < m->p.parts; i++)
    if (row[i] != OMEN_NONE
        && !(flags (&m->p, row[i]) & (OMEN_THREADS_WAITS | OMEN_THREADS_END)))
      return;
  memcpy (copy, row, m->p.width * sizeof *row);
  for (uint32_t r = 0; m->ends && r < m->p.head[OMEN_THREADS_REGIONS]; r++)
    if (is_this_region (m, region_of (m, copy, r)))
      return;
  keep (m, copy);
}

/* ---- rows in order ---- */

static int
compare (const program *p, const uint32_t *a, const uint32_t *b)
{
  for (uint32_t i = 0; i < p->width; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

static void
sift (const program *p, uint32_t *rows, uint32_t from, uint32_t count)
{
  uint32_t spare[WIDTH_MAX], child;
  size_t bytes = p->width * sizeof *rows;
  while ((child = 2 * from + 1) < count) {
    uint32_t *a = rows + (size_t)from * p->width;
    uint32_t *b = rows + (size_t)child * p->width;
    if (child + 1 < count && compare (p, b, b + p->width) < 0) {
      child++;
      b += p->width;
    }
    if (compare (p, a, b) >= 0)
      return;
    memcpy (spare, a, bytes);
    memcpy (a, b, bytes);
    memcpy (b, spare, bytes);
    from = child;
  }
}

/* Heap sort, then equal rows once: no memory, no deep recursion. */
static void
put_in_order (mover *m)
{
  const program *p = &m->p;
  uint32_t spare[WIDTH_MAX], kept = 0;
  size_t bytes = p->width * sizeof *m->rows;
  for (uint32_t i = m->count / 2; i-- > 0;)
    sift (p, m->rows, i, m->count);
  for (uint32_t end = m->count; end-- > 1;) {
    uint32_t *last = m->rows + (size_t)end * p->width;
    memcpy (spare, m->rows, bytes);
    memcpy (m->rows, last, bytes);
    memcpy (last, spare, bytes);
    sift (p, m->rows, 0, end);
  }
  for (uint32_t i = 0; i < m->count; i++) {
    const uint32_t *row = m->rows + (size_t)i * p->width;
    if (kept && !compare (p, row, m->rows + (size_t)(kept - 1) * p->width))
      continue;
    memmove (m->rows + (size_t)kept++ * p->width, row, bytes);
  }
  m->count = kept;
}

/* ---- nesting ---- */

static uint32_t
open_regions (const state *s, uint32_t thread)
{
  for (uint32_t i = 0; i < s->depth_count; i++)
    if (s->depths[i].thread == thread)
      return s->depths[i].open;
  return 0;
}

/* The table after this event, in `out`, which has room for one more. */
static uint32_t
depths_after (const state *s, const mover *m, depth *out)
{
  uint32_t n = 0, thread = m->letter->thread;
  uint32_t open = open_regions (s, thread);
  open = m->begins ? open + 1 : m->ends && open ? open - 1 : open;
  for (uint32_t i = 0; i < s->depth_count; i++) {
    if (s->depths[i].thread > thread && open) {
      out[n++] = (depth){ thread, open };
      open = 0;
    }
    if (s->depths[i].thread != thread)
      out[n++] = s->depths[i];
  }
  if (open)
    out[n++] = (depth){ thread, open };
  return n;
}

/* ---- the engine ---- */

static size_t
state_bytes (const omen_machine *machine)
{
  (void)machine;
  return sizeof (state);
}

static void
start (const omen_machine *machine, void *at)
{
  (void)machine;
  *(state *)at = (state){ 0 };
}

static void
drop (const omen_machine *machine, void *at, const omen_memory *memory)
{
  state *s = at;
  program p = program_of (machine->words);
  omen_memory_put (memory, s->rows,
                   (size_t)s->count * p.width * sizeof *s->rows);
  omen_memory_put (memory, s->depths, s->depth_count * sizeof *s->depths);
}

static void
begin_attempts (mover *m)
{
  uint32_t row[WIDTH_MAX];
  memset (row, 0xff, sizeof row);
  for (uint32_t a = 0; a < m->p.head[OMEN_THREADS_ALTERNATIVES]; a++) {
    memcpy (row, m->p.starts + a * m->p.parts, m->p.parts * sizeof *row);
    move_parts (m, row, 0, false);
  }
}

/* The mover's rows and the depths after the event, in blocks of their size. */
static bool
finish (mover *m, const state *old, state *s)
{
  depth *depths = NULL;
  size_t bytes = (size_t)m->count * m->p.width * sizeof *s->rows;
  size_t room = (old->depth_count + 1) * sizeof *depths;
  *s = (state){ .match = m->match, .count = m->count };
  if (m->count)
    s->rows = omen_memory_get (m->memory, bytes);
  depths = omen_memory_get (m->memory, room);
  if (!depths || (m->count && !s->rows)) {
    omen_memory_put (m->memory, s->rows, bytes);
    omen_memory_put (m->memory, depths, room);
    return false;
  }
  if (m->count)
    memcpy (s->rows, m->rows, bytes);
  s->depth_count = depths_after (old, m, depths);
  if (s->depth_count)
    s->depths = omen_memory_get (m->memory, s->depth_count * sizeof *depths);
  if (s->depths)
    memcpy (s->depths, depths, s->depth_count * sizeof *depths);
  omen_memory_put (m->memory, depths, room);
  if (!s->depth_count || s->depths)
    return true;
  omen_memory_put (m->memory, s->rows, bytes);
  return false;
}

static bool
step (const omen_machine *machine, void *at, const omen_letter *letter,
      const omen_memory *memory)
{
  state *s = at, next;
  mover m = { .p = program_of (machine->words), .letter = letter,
              .memory = memory };
  bool good;
  m.begins = in_set (m.p.head + OMEN_THREADS_BEGINS, letter->event);
  m.ends = in_set (m.p.head + OMEN_THREADS_ENDS, letter->event);
  m.region = open_regions (s, letter->thread) + m.begins;
  for (uint32_t i = 0; i < s->count && !m.full; i++) {
    const uint32_t *row = s->rows + (size_t)i * m.p.width;
    move_parts (&m, row, 0, false);
    stay (&m, row);
  }
  begin_attempts (&m);
  put_in_order (&m);
  good = !m.full && finish (&m, s, &next);
  omen_memory_put (memory, m.rows,
                   (size_t)m.room * m.p.width * sizeof *m.rows);
  if (!good)
    return false;
  drop (machine, s, memory);
  *s = next;
  return true;
}

static uint32_t
verdict (const omen_machine *machine, const void *at)
{
  return ((const state *)at)->match ? machine->words[OMEN_THREADS_MATCH] : 0;
}

static bool
row_can_land (const program *p, const uint32_t *row, uint32_t dead)
{
  uint32_t words = omen_lands_words (p->head[OMEN_THREADS_PARAMETERS]);
  for (uint32_t i = 0; i < p->parts; i++)
    if (row[i] != OMEN_NONE && !(flags (p, row[i]) & OMEN_THREADS_END)
        && !(p->lands[row[i] * words + dead / 32] >> dead % 32 & 1))
      return false;
  return true;
}

static bool
can_land (const omen_machine *machine, const void *at, uint32_t dead)
{
  const state *s = at;
  program p = program_of (machine->words);
  for (uint32_t a = 0; a < p.head[OMEN_THREADS_ALTERNATIVES]; a++)
    if (row_can_land (&p, p.starts + a * p.parts, dead))
      return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (row_can_land (&p, s->rows + (size_t)i * p.width, dead))
      return true;
  return false;
}

static bool
copy (const omen_machine *machine, void *to, const void *from,
      const omen_memory *memory)
{
  const state *s = from;
  state *t = to;
  program p = program_of (machine->words);
  size_t rows = (size_t)s->count * p.width * sizeof *s->rows;
  size_t depths = s->depth_count * sizeof *s->depths;
  *t = *s;
  t->rows = s->count ? omen_memory_get (memory, rows) : NULL;
  t->depths = s->depth_count ? omen_memory_get (memory, depths) : NULL;
  if ((s->count && !t->rows) || (s->depth_count && !t->depths)) {
    omen_memory_put (memory, t->rows, rows);
    omen_memory_put (memory, t->depths, depths);
    return false;
  }
  if (s->count)
    memcpy (t->rows, s->rows, rows);
  if (s->depth_count)
    memcpy (t->depths, s->depths, depths);
  return true;
}

static uint64_t
hash (const omen_machine *machine, const void *at)
{
  const state *s = at;
  program p = program_of (machine->words);
  uint64_t h = omen_mix (s->match, s->count);
  for (size_t i = 0; i < (size_t)s->count * p.width; i++)
    h = omen_mix (h, s->rows[i]);
  for (uint32_t i = 0; i < s->depth_count; i++)
    h = omen_mix (h, (uint64_t)s->depths[i].thread << 32 | s->depths[i].open);
  return h;
}

static bool
same (const omen_machine *machine, const void *a, const void *b)
{
  const state *s = a, *t = b;
  program p = program_of (machine->words);
  if (s->match != t->match || s->count != t->count
      || s->depth_count != t->depth_count)
    return false;
  if (s->count
      && memcmp (s->rows, t->rows,
                 (size_t)s->count * p.width * sizeof *s->rows))
    return false;
  return !s->depth_count
         || !memcmp (s->depths, t->depths, s->depth_count * sizeof *s->depths);
}

bool
omen_threads_parallel (const omen_machine *machine)
{
  program p;
  if (machine->engine != &omen_engine_threads)
    return false;
  p = program_of (machine->words);
  for (uint32_t n = 0; n < p.head[OMEN_THREADS_NODES]; n++)
    if (!(flags (&p, n) & (OMEN_THREADS_WAITS | OMEN_THREADS_END)))
      return true;
  return false;
}

const omen_engine omen_engine_threads
    = { "threads", valid, state_bytes, start, step, verdict,
        can_land,  copy,  drop,        hash,  same };
