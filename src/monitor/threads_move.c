/* Steps the attempts at a match by one letter. */
#include "monitor/threads_state.h"

#include <string.h>

static void
keep_row (omen_threads_mover *m, const uint32_t *row)
{
  size_t bytes = m->p.width * sizeof *row;
  OMEN_ASSERT (m->p.width <= OMEN_THREADS_WIDTH_MAX && m->count <= m->room);
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

/* Bind the name to the letter's thread; false if it cannot be. */
static bool
take_thread (const omen_threads_mover *m, uint32_t name, uint32_t *row)
{
  uint32_t *names = row + m->p.parts;
  if (name == OMEN_NONE)
    return true;
  OMEN_ASSERT (name < m->p.head[OMEN_THREADS_NAMES]);
  if (names[name] != OMEN_THREADS_FREE)
    return names[name] == m->letter->thread;
  for (uint32_t i = 0; i < m->p.head[OMEN_THREADS_NAMES]; i++)
    if (names[i] == m->letter->thread)
      return false;
  names[name] = m->letter->thread;
  return true;
}

static uint32_t *
region_of (const omen_threads_mover *m, uint32_t *row, uint32_t region)
{
  OMEN_ASSERT (region < m->p.head[OMEN_THREADS_REGIONS]);
  return row + m->p.parts + m->p.head[OMEN_THREADS_NAMES] + 2 * region;
}

static bool
is_this_region (const omen_threads_mover *m, const uint32_t *region)
{
  return region[0] == m->letter->thread && region[1] == m->region;
}

static bool
take_region (const omen_threads_mover *m, uint32_t what, uint32_t *row)
{
  uint32_t *region;
  if (what == OMEN_NONE)
    return true;
  region = region_of (m, row, what / 2);
  if (what % 2) {
    if (!m->ends || !m->region || !is_this_region (m, region))
      return false;
    region[0] = region[1] = OMEN_THREADS_ENDED;
    return true;
  }
  if (!m->begins
      || (region[0] != OMEN_THREADS_FREE && region[0] != OMEN_THREADS_ENDED))
    return false;
  region[0] = m->letter->thread;
  region[1] = m->region;
  return true;
}

/* All parts have moved. A match is kept as an attempt if it ends in a
   repetition. */
static void
arrive_row (omen_threads_mover *m, uint32_t *row)
{
  const omen_threads_program *p = &m->p;
  bool done = true, more = false;
  for (uint32_t i = 0; i < p->parts; i++) {
    if (row[i] == OMEN_NONE)
      continue;
    done &= (omen_threads_flags (p, row[i]) & OMEN_THREADS_END) != 0;
    more |= p->nodes[2 * row[i]] < omen_threads_edges_end (p, row[i]);
  }
  m->match |= done;
  if (done && !more)
    return;
  for (uint32_t r = 0; m->ends && r < m->p.head[OMEN_THREADS_REGIONS]; r++)
    if (is_this_region (m, region_of (m, row, r)))
      return; /* the end of its region was not taken */
  keep_row (m, row);
}

/* Part by part: take the event along each edge that fits, or wait. */
static void
move_parts (omen_threads_mover *m, const uint32_t *row, uint32_t part,
            bool moved)
{
  const omen_threads_program *p = &m->p;
  uint32_t next[OMEN_THREADS_WIDTH_MAX], node;
  memcpy (next, row, p->width * sizeof *row);
  if (part == p->parts) {
    if (moved)
      arrive_row (m, next);
    return;
  }
  OMEN_ASSERT (part < p->parts);
  node = row[part];
  if (node == OMEN_NONE) {
    move_parts (m, row, part + 1, moved);
    return;
  }
  if (m->letter->apart && !omen_threads_is_patient (p, node))
    return; /* it needs a letter parallel to the last one */
  for (uint32_t i = p->nodes[2 * node]; i < omen_threads_edges_end (p, node);
       i++) {
    const uint32_t *edge = p->edges + 4 * i;
    if (edge[0] != m->letter->event)
      continue;
    memcpy (next, row, p->width * sizeof *row);
    if (take_thread (m, edge[1], next) && take_region (m, edge[2], next)) {
      next[part] = edge[3];
      move_parts (m, next, part + 1, true);
    }
  }
  if (omen_threads_is_patient (p, node))
    move_parts (m, row, part + 1, moved);
}

void
omen_threads_move (omen_threads_mover *m, const uint32_t *row)
{
  move_parts (m, row, 0, false);
  /* Keep an attempt that does not take the event, if it may wait. */
  uint32_t copy[OMEN_THREADS_WIDTH_MAX];
  for (uint32_t i = 0; i < m->p.parts; i++)
    if (row[i] != OMEN_NONE && !omen_threads_is_patient (&m->p, row[i]))
      return;
  memcpy (copy, row, m->p.width * sizeof *row);
  for (uint32_t r = 0; m->ends && r < m->p.head[OMEN_THREADS_REGIONS]; r++)
    if (is_this_region (m, region_of (m, copy, r)))
      return;
  keep_row (m, copy);
}

void
omen_threads_begin (omen_threads_mover *m)
{
  uint32_t row[OMEN_THREADS_WIDTH_MAX];
  memset (row, 0xff, sizeof row);
  for (uint32_t a = 0; a < m->p.head[OMEN_THREADS_ALTERNATIVES]; a++) {
    memcpy (row, m->p.starts + a * m->p.parts, m->p.parts * sizeof *row);
    move_parts (m, row, 0, false);
  }
}
