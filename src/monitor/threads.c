/* The engine for patterns: all attempts at a match at once (threads_state.h).
 */
#include "monitor/table.h"
#include "monitor/threads_state.h"

#include <string.h>

static bool
in_set (const uint32_t *set, uint32_t event)
{
  return set[event / 32] >> event % 32 & 1;
}

/* ---- nesting ---- */

static uint32_t
open_regions (const omen_threads_state *s, uint32_t thread)
{
  for (uint32_t i = 0; i < s->depth_count; i++)
    if (s->depths[i].thread == thread)
      return s->depths[i].open;
  return 0;
}

/* The table after this event, in `out`, which has room for one more. */
static uint32_t
depths_after (const omen_threads_state *s, const omen_threads_mover *m,
              omen_threads_depth *out)
{
  uint32_t n = 0, thread = m->letter->thread;
  uint32_t open = open_regions (s, thread);
  open = m->begins ? open + 1 : m->ends && open ? open - 1 : open;
  for (uint32_t i = 0; i < s->depth_count; i++) {
    if (s->depths[i].thread > thread && open) {
      out[n++] = (omen_threads_depth){ thread, open };
      open = 0;
    }
    if (s->depths[i].thread != thread)
      out[n++] = s->depths[i];
  }
  if (open)
    out[n++] = (omen_threads_depth){ thread, open };
  OMEN_ASSERT (n <= s->depth_count + 1);
  return n;
}

/* ---- the engine ---- */

static size_t
state_bytes (const omen_machine *machine)
{
  (void)machine;
  return sizeof (omen_threads_state);
}

static void
start_threads (const omen_machine *machine, void *at)
{
  (void)machine;
  *(omen_threads_state *)at = (omen_threads_state){ 0 };
}

static void
drop_threads (const omen_machine *machine, void *at, const omen_memory *memory)
{
  omen_threads_state *s = at;
  omen_threads_program p = omen_threads_program_of (machine->words);
  omen_memory_put (memory, s->rows,
                   (size_t)s->count * p.width * sizeof *s->rows);
  omen_memory_put (memory, s->depths, s->depth_count * sizeof *s->depths);
}

/* Make the next state: the mover's rows and the depths after the event, in
   blocks of just their size. */
static bool
finish_move (omen_threads_mover *m, const omen_threads_state *old,
             omen_threads_state *s)
{
  omen_threads_depth *depths = NULL;
  size_t bytes = (size_t)m->count * m->p.width * sizeof *s->rows;
  size_t room = (old->depth_count + 1) * sizeof *depths;
  *s = (omen_threads_state){ .match = m->match, .count = m->count };
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
step_threads (const omen_machine *machine, void *at, const omen_letter *letter,
              const omen_memory *memory)
{
  omen_threads_state *s = at, next;
  omen_threads_mover m = { .p = omen_threads_program_of (machine->words),
                           .letter = letter,
                           .memory = memory };
  bool good;
  OMEN_ASSERT (letter->event < m.p.head[OMEN_THREADS_EVENTS]);
  m.begins = in_set (m.p.head + OMEN_THREADS_BEGINS, letter->event);
  m.ends = in_set (m.p.head + OMEN_THREADS_ENDS, letter->event);
  m.region = open_regions (s, letter->thread) + m.begins;
  for (uint32_t i = 0; i < s->count && !m.full; i++) {
    const uint32_t *row = s->rows + (size_t)i * m.p.width;
    omen_threads_move (&m, row);
  }
  omen_threads_begin (&m);
  omen_threads_put_in_order (&m);
  good = !m.full && finish_move (&m, s, &next);
  omen_memory_put (memory, m.rows, (size_t)m.room * m.p.width * sizeof *m.rows);
  if (!good)
    return false;
  drop_threads (machine, s, memory);
  *s = next;
  return true;
}

static uint32_t
threads_verdict (const omen_machine *machine, const void *at)
{
  return ((const omen_threads_state *)at)->match
             ? machine->words[OMEN_THREADS_MATCH]
             : 0;
}

static bool
row_can_land (const omen_threads_program *p, const uint32_t *row, uint32_t dead)
{
  uint32_t words = omen_lands_words (p->head[OMEN_THREADS_PARAMETERS]);
  for (uint32_t i = 0; i < p->parts; i++)
    if (row[i] != OMEN_NONE
        && !(omen_threads_flags (p, row[i]) & OMEN_THREADS_END)
        && !(p->lands[row[i] * words + dead / 32] >> dead % 32 & 1))
      return false;
  return true;
}

static bool
can_land (const omen_machine *machine, const void *at, uint32_t dead)
{
  const omen_threads_state *s = at;
  omen_threads_program p = omen_threads_program_of (machine->words);
  for (uint32_t a = 0; a < p.head[OMEN_THREADS_ALTERNATIVES]; a++)
    if (row_can_land (&p, p.starts + a * p.parts, dead))
      return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (row_can_land (&p, s->rows + (size_t)i * p.width, dead))
      return true;
  return false;
}

static bool
copy_threads (const omen_machine *machine, void *to, const void *from,
              const omen_memory *memory)
{
  const omen_threads_state *s = from;
  omen_threads_state *t = to;
  omen_threads_program p = omen_threads_program_of (machine->words);
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
hash_threads (const omen_machine *machine, const void *at)
{
  const omen_threads_state *s = at;
  omen_threads_program p = omen_threads_program_of (machine->words);
  uint64_t h = omen_mix (s->match, s->count);
  for (size_t i = 0; i < (size_t)s->count * p.width; i++)
    h = omen_mix (h, s->rows[i]);
  for (uint32_t i = 0; i < s->depth_count; i++)
    h = omen_mix (h, (uint64_t)s->depths[i].thread << 32 | s->depths[i].open);
  return h;
}

static bool
threads_same (const omen_machine *machine, const void *a, const void *b)
{
  const omen_threads_state *s = a, *t = b;
  omen_threads_program p = omen_threads_program_of (machine->words);
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

const omen_machine_engine omen_engine_threads
    = { "threads",    omen_threads_valid, state_bytes, start_threads,
        step_threads, threads_verdict,    can_land,    copy_threads,
        drop_threads, hash_threads,       threads_same };
