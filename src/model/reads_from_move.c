/* Moves: a stretch of a thread from its outermost acquire to an event, and the
   events that may not come before it if its reads are to see what they saw. */
#include "model/reads_from_search.h"

/* Of events of one thread, the index of the first that comes later in the trace
   than position `at`; OMEN_NONE. */
static uint32_t
first_after (const omen_model *m, const omen_eid *list, uint32_t count,
             uint32_t at)
{
  uint32_t low
      = OMEN_FIRST_NOT (i, 0, count, omen_model_position (m, list[i]) < at);
  return low < count ? omen_index (m, list[low]) : OMEN_NONE;
}

/* Index in the thread of the cell of the first event that conflicts with e in
   this atom and comes later in the trace. */
static uint32_t
next_conflict (const omen_model *m, const omen_cell *cell, omen_eid e)
{
  uint32_t at = omen_model_position (m, e);
  uint32_t write = first_after (m, m->members + cell->first_write,
                                cell->first_read - cell->first_write, at);
  uint32_t read = OMEN_NONE;
  if (omen_kind_writes (omen_model_event (m, e)->kind))
    read = first_after (m, m->members + cell->first_read,
                        cell[1].first_write - cell->first_read, at);
  return read < write ? read : write;
}

void
omen_rf_limit (const omen_rf_search *s, omen_eid e, uint32_t but,
               uint32_t *limits)
{
  const omen_model *m = s->m;
  omen_span span;
  if (omen_kind_class (omen_model_event (m, e)->kind) != OMEN_CLASS_ACCESS)
    return;
  OMEN_ASSERT (but == OMEN_NONE || but < m->atom_count);
  span = omen_model_atoms (m, e);
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    for (uint32_t c = m->atoms[a].first_cell;
         a != but && c < m->atoms[a + 1].first_cell; c++) {
      const omen_cell *cell = &m->cells[c];
      uint32_t next;
      if (cell->thread == omen_model_thread (m, e))
        continue;
      next = next_conflict (m, cell, e);
      if (next < limits[cell->thread])
        limits[cell->thread] = next;
    }
}

/* Where the outermost critical section around e starts; e's index if there is
   none. */
static uint32_t
outermost (const omen_model *m, omen_eid e)
{
  const omen_set *set = &m->sets[m->set_of[e]];
  uint32_t start = omen_index (m, e);
  for (uint32_t h = set[0].first; h < set[1].first; h++) {
    uint32_t i = omen_index (m, m->sections[m->held[h].section].acquire);
    OMEN_ASSERT (i < omen_index (m, e));
    if (i < start)
      start = i;
  }
  return start;
}

/* One past the release of the last lock held at e. */
static uint32_t
way_out (const omen_model *m, omen_eid e)
{
  const omen_set *set = &m->sets[m->set_of[e]];
  uint32_t end = omen_index (m, e) + 1;
  for (uint32_t h = set[0].first; h < set[1].first; h++) {
    omen_eid release = m->sections[m->held[h].section].release;
    if (release != OMEN_NONE && omen_index (m, release) >= end)
      end = omen_index (m, release) + 1;
  }
  return end;
}

/* Make a move of events [start, end) of thread t; accesses of `but` do not
   limit it. */
static uint32_t
add_move (omen_rf_search *s, omen_tid t, uint32_t start, uint32_t end,
          omen_eid but)
{
  const omen_model *m = s->m;
  omen_move move = { .start = start, .end = end };
  OMEN_ASSERT (start <= end && end <= m->trace->threads.data[t].count);
  move.limits = (uint32_t)s->words.count;
  for (uint32_t u = 0; u < s->threads; u++)
    OMEN_VEC_PUSH (s->words, OMEN_NONE);
  move.locks = (uint32_t)s->words.count;
  for (uint32_t i = start; i < end; i++) {
    omen_eid e = omen_trace_nth (m->trace, t, i);
    unsigned kind = omen_model_event (m, e)->kind;
    if (e != but)
      omen_rf_limit (s, e, OMEN_NONE, s->words.data + move.limits);
    if ((kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE)
        && m->at[e] != OMEN_NONE) {
      OMEN_VEC_PUSH (s->words, m->sections[m->at[e]].lock);
      OMEN_VEC_PUSH (s->words, m->sections[m->at[e]].mode);
      move.lock_count++;
    }
    move.hard |= s->hard[e];
  }
  OMEN_ASSERT (s->words.count == move.locks + 2 * (size_t)move.lock_count);
  OMEN_VEC_PUSH (s->moves, move);
  return (uint32_t)s->moves.count - 1;
}

uint32_t
omen_rf_move_to (omen_rf_search *s, omen_eid e)
{
  if (s->move_to[e] == OMEN_NONE)
    s->move_to[e]
        = add_move (s, omen_model_thread (s->m, e), outermost (s->m, e),
                    omen_index (s->m, e), OMEN_NONE);
  return s->move_to[e];
}

uint32_t
omen_rf_move_out (omen_rf_search *s, omen_eid e)
{
  if (s->move_out[e] == OMEN_NONE)
    s->move_out[e] = add_move (s, omen_model_thread (s->m, e),
                               outermost (s->m, e), way_out (s->m, e), e);
  return s->move_out[e];
}
