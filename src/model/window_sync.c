/* Synchronisation of the window: edges, sections, needs, counts. */
#include "model/window_rules.h"

#include <string.h>

/* ---- threads ---- */

/* The last event of thread t that is a node, or OMEN_NONE. */
static omen_eid
last_node (const omen_window *w, omen_tid t)
{
  const omen_trace *trace = w->model->trace;
  uint32_t chain = w->thread_chain[t], i = trace->threads.data[t].count;
  if (chain == OMEN_NONE)
    return OMEN_NONE;
  while (i-- > w->thread_start[t]) {
    omen_eid e = omen_trace_nth (trace, t, i);
    if (omen_window_has (w, e))
      return e;
  }
  return OMEN_NONE;
}

static omen_eid
first_node (const omen_window *w, omen_tid t)
{
  const omen_trace *trace = w->model->trace;
  if (w->thread_chain[t] == OMEN_NONE)
    return OMEN_NONE;
  for (uint32_t i = w->thread_start[t]; i < trace->threads.data[t].count; i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    if (omen_window_has (w, e))
      return e;
  }
  return OMEN_NONE;
}

/* A join needs the fork, the last node of the thread, and that the reads of
   the thread are preserved to the last. */
static void
add_join (omen_window *w, omen_eid join)
{
  const omen_model *m = w->model;
  omen_tid t = omen_model_event (m, join)->object;
  omen_eid fork = m->trace->threads.data[t].forked_by, last = last_node (w, t);
  OMEN_ASSERT (omen_window_has (w, join) && t != omen_model_thread (m, join));
  if (fork != OMEN_NONE)
    omen_window_edge (w, fork, join);
  if (last != OMEN_NONE)
    OMEN_VEC_PUSH (w->problem.edges,
                   ((omen_edge){ omen_window_node (w, last),
                                 omen_window_node (w, join), true }));
}

void
omen_window_threads (omen_window *w)
{
  const omen_model *m = w->model;
  for (uint32_t i = w->from; i < w->to; i++) {
    omen_eid e = omen_model_nth (m, i);
    const omen_event *event = omen_model_event (m, e);
    if (event->kind == OMEN_FORK) {
      omen_eid first = first_node (w, event->object);
      if (first != OMEN_NONE)
        omen_window_edge (w, e, first);
    } else if (event->kind == OMEN_JOIN)
      add_join (w, e);
  }
}

/* ---- edges between operations on one object ---- */

/* `ha` after the last hb of each thread before it. */
static void
add_happens (omen_window *w, uint32_t object, uint32_t *last)
{
  const omen_model *m = w->model;
  memset (last, 0xff, m->thread_count * sizeof *last);
  for (uint32_t i = m->object_ops[object]; i < m->object_ops[object + 1]; i++) {
    omen_eid e = m->hb_ops[i];
    if (omen_model_event (m, e)->kind == OMEN_HAPPENS_BEFORE)
      last[omen_model_thread (m, e)] = e;
    else if (omen_window_has (w, e))
      for (omen_tid t = 0; t < m->thread_count; t++)
        if (last[t] != OMEN_NONE)
          omen_window_edge (w, last[t], e);
  }
}

static void
add_round (omen_window *w, const omen_round *round, const omen_round *before)
{
  const omen_model *m = w->model;
  for (uint32_t i = round[0].first_arrive; i < round[1].first_arrive; i++) {
    for (uint32_t j = round[0].first_depart; j < round[1].first_depart; j++)
      if (omen_window_has (w, m->departs[j]))
        omen_window_edge (w, m->arrives[i], m->departs[j]);
    if (before && omen_window_has (w, m->arrives[i]))
      for (uint32_t j = before[0].first_arrive; j < before[1].first_arrive; j++)
        omen_window_edge (w, m->arrives[j], m->arrives[i]);
  }
}

/* Operations on an irregular lock keep their order. */
static void
add_irregular (omen_window *w)
{
  const omen_model *m = w->model;
  uint32_t *last = omen_alloc (m->lock_count * sizeof *last);
  memset (last, 0xff, m->lock_count * sizeof *last);
  for (uint32_t i = w->from; i < w->to; i++) {
    omen_eid e = omen_model_nth (m, i);
    const omen_event *event = omen_model_event (m, e);
    bool waits = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
    uint32_t lock = OMEN_NONE;
    if (waits)
      lock = (uint32_t)event->value;
    else if (omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK
             && event->kind != OMEN_REQUEST && event->kind != OMEN_LOCK_FAIL
             && event->kind != OMEN_DESTROY)
      lock = event->object;
    if (lock == OMEN_NONE || !m->irregular[lock])
      continue;
    if (last[lock] != OMEN_NONE)
      omen_window_edge (w, last[lock], e);
    last[lock] = e;
  }
  omen_free (last);
}

void
omen_window_sync (omen_window *w)
{
  const omen_model *m = w->model;
  uint32_t objects = m->trace->names[OMEN_OPERAND_OBJECT].count;
  uint32_t *last = omen_alloc (m->thread_count * sizeof *last);
  for (uint32_t o = 0; o < objects; o++)
    add_happens (w, o, last);
  for (uint32_t r = 0; r < m->round_count; r++)
    add_round (w, &m->rounds[r],
               r && m->rounds[r - 1].barrier == m->rounds[r].barrier
                   ? &m->rounds[r - 1]
                   : NULL);
  add_irregular (w);
  omen_free (last);
}

/* ---- locks ---- */

static void
add_section (omen_window *w, const omen_section *section, uint32_t resource)
{
  omen_node start = omen_window_node (w, section->acquire);
  omen_node end = section->release == OMEN_NONE
                      ? OMEN_NONE
                      : omen_window_node (w, section->release);
  omen_node_section made
      = { resource,
          w->thread_chain[section->thread],
          omen_window_past (w, section->acquire) ? OMEN_PAST : start,
          end,
          section->mode == OMEN_LOCK_WRITE,
          false };
  if (made.start == OMEN_NONE
      || (made.start == OMEN_PAST && section->release != OMEN_NONE
          && omen_window_past (w, section->release)))
    return;
  OMEN_ASSERT (made.chain != OMEN_NONE && resource < w->problem.resources);
  OMEN_ASSERT (made.start == OMEN_PAST || made.end == OMEN_NONE
               || made.start < made.end);
  OMEN_VEC_PUSH (w->problem.sections, made);
}

static void
add_try (omen_window *w, omen_eid e, uint32_t resource)
{
  const omen_model *m = w->model;
  const omen_event *event = omen_model_event (m, e);
  bool exclusive = event->kind == OMEN_READ_TRY_FAIL;
  OMEN_ASSERT (exclusive || event->kind == OMEN_TRY_FAIL);
  uint32_t own = omen_model_holds (m, e, event->object);
  if (!omen_window_has (w, e)
      || (own != OMEN_NONE
          && (!exclusive || m->sections[own].mode == OMEN_LOCK_WRITE)))
    return;
  OMEN_VEC_PUSH (w->problem.insides, ((omen_inside){ omen_window_node (w, e),
                                                     resource, exclusive }));
}

/* A thread without a chain holds it through the whole window: left out. */
static void
add_word_section (omen_window *w, const omen_word_section *section,
                  uint32_t resource)
{
  bool past = omen_window_past (w, section->taken);
  bool ends = section->given != OMEN_NONE;
  omen_node_section made
      = { resource,
          w->thread_chain[section->thread],
          past ? OMEN_PAST : omen_window_node (w, section->taken),
          ends ? omen_window_node (w, section->given) : OMEN_NONE,
          true,
          true };
  if (made.chain == OMEN_NONE || made.start == OMEN_NONE
      || (past && ends && omen_window_past (w, section->given)))
    return;
  OMEN_ASSERT (past || made.end == OMEN_NONE || made.start < made.end);
  OMEN_VEC_PUSH (w->problem.sections, made);
}

/* Under value only: sliced may not preserve the read that acquires a word, and
   under rf its writer is fixed. */
static void
add_words (omen_window *w, const omen_relevant *relevant)
{
  const omen_model *m = w->model;
  uint32_t last = OMEN_NONE;
  if (!w->by_value || w->sliced || w->blind)
    return;
  for (uint32_t i = 0; i < m->word_section_count; i++) {
    const omen_word_section *section = &m->word_sections[i];
    if (relevant->atom[section->atom] == OMEN_NONE)
      continue;
    if (section->atom != last)
      w->problem.resources++;
    last = section->atom;
    add_word_section (w, section, w->problem.resources - 1);
  }
}

void
omen_window_sections (omen_window *w, const omen_relevant *relevant)
{
  const omen_model *m = w->model;
  w->problem.resources = relevant->locks;
  for (omen_lid l = 0; l < m->lock_count; l++) {
    uint32_t resource = relevant->lock[l];
    if (resource == OMEN_NONE)
      continue;
    for (uint32_t s = m->lock_sections[l]; s < m->lock_sections[l + 1]; s++)
      add_section (w, &m->sections[s], resource);
    for (uint32_t i = m->lock_tries[l]; i < m->lock_tries[l + 1]; i++)
      add_try (w, m->tries[i], resource);
  }
  add_words (w, relevant);
}

/* ---- semaphores ---- */

/* seminit stays between the operations of the segments around it: after the
   last operation of each thread before, before the first of each after. */
static void
add_init (omen_window *w, uint32_t segment, uint32_t *mark)
{
  const omen_model *m = w->model;
  const omen_semaphore *seg = &m->semaphores[segment];
  bool same = segment && seg[-1].semaphore == seg->semaphore;
  OMEN_ASSERT (seg->init != OMEN_NONE);
  memset (mark, 0, m->thread_count * sizeof *mark);
  if (same && seg[-1].init != OMEN_NONE)
    omen_window_edge (w, seg[-1].init, seg->init);
  for (uint32_t i = seg->first; same && i-- > seg[-1].first;) {
    omen_tid t = omen_model_thread (m, m->sem_ops[i]);
    if (!(mark[t] & 1) && omen_window_has (w, seg->init))
      omen_window_edge (w, m->sem_ops[i], seg->init);
    mark[t] |= 1;
  }
  for (uint32_t i = seg->first; i < seg[1].first; i++) {
    omen_tid t = omen_model_thread (m, m->sem_ops[i]);
    if (!(mark[t] & 2) && omen_window_has (w, m->sem_ops[i]))
      omen_window_edge (w, seg->init, m->sem_ops[i]);
    mark[t] |= 2;
  }
}

static int8_t
change_of (const omen_model *m, omen_eid e)
{
  switch (omen_model_event (m, e)->kind) {
  case OMEN_SEM_UP:
    return 1;
  case OMEN_SEM_DOWN:
    return -1;
  default:
    return 0;
  }
}

void
omen_window_semaphores (omen_window *w)
{
  const omen_model *m = w->model;
  uint32_t *mark = omen_alloc (m->thread_count * sizeof *mark);
  w->problem.semaphores = m->semaphore_count;
  w->problem.past_count
      = OMEN_ARENA_NEW (&w->problem.arena, int32_t, m->semaphore_count);
  for (uint32_t s = 0; s < m->semaphore_count; s++) {
    int32_t *count = &w->problem.past_count[s];
    *count = (int32_t)m->semaphores[s].start;
    if (m->semaphores[s].init != OMEN_NONE)
      add_init (w, s, mark);
    for (uint32_t i = m->semaphores[s].first; i < m->semaphores[s + 1].first;
         i++) {
      omen_eid e = m->sem_ops[i];
      if (omen_window_past (w, e))
        *count += change_of (m, e);
      else if (omen_window_has (w, e))
        OMEN_VEC_PUSH (
            w->problem.counts,
            ((omen_count){ omen_window_node (w, e), s, change_of (m, e) }));
    }
    OMEN_ASSERT (*count >= 0);
  }
  omen_free (mark);
}

/* ---- conditions ---- */

/* Which notifies before the window are used up by returns before it. */
static void
use_past (const omen_window *w, uint32_t condition, uint8_t *used)
{
  const omen_model *m = w->model;
  for (uint32_t i = m->condition_waits[condition];
       i < m->condition_waits[condition + 1]; i++) {
    uint32_t n = m->server[i];
    if (n != OMEN_NONE && omen_window_past (w, m->waits[i].back)
        && omen_model_event (m, m->notifies[n])->kind == OMEN_NOTIFY)
      used[n - m->condition_notifies[condition]] = 1;
  }
}

/* Notifies before the window serve only returns whose wait is before it, too;
   `oldest` is the position of the first such wait. */
static void
add_notifies (omen_window *w, uint32_t condition, uint32_t oldest)
{
  const omen_model *m = w->model;
  uint32_t first = m->condition_notifies[condition];
  uint32_t count = m->condition_notifies[condition + 1] - first;
  uint8_t *used = omen_zalloc (count, 1);
  use_past (w, condition, used);
  for (uint32_t i = 0; i < count; i++) {
    omen_eid e = m->notifies[first + i];
    uint32_t at = omen_model_position (m, e);
    bool many = omen_model_event (m, e)->kind == OMEN_NOTIFY_ALL;
    if (omen_window_has (w, e))
      OMEN_VEC_PUSH (
          w->problem.providers,
          ((omen_provider){ omen_window_node (w, e), 0, condition, many }));
    else if (omen_window_past (w, e) && at > oldest && !used[i])
      OMEN_VEC_PUSH (w->problem.providers,
                     ((omen_provider){ OMEN_PAST, at, condition, many }));
  }
  omen_free (used);
}

void
omen_window_conditions (omen_window *w)
{
  const omen_model *m = w->model;
  w->problem.pools = m->trace->names[OMEN_OPERAND_CONDITION].count;
  for (uint32_t c = 0; c < w->problem.pools; c++) {
    uint32_t oldest = OMEN_NONE; /* of the waits before the window */
    bool wanted = false;
    for (uint32_t i = m->condition_waits[c]; i < m->condition_waits[c + 1];
         i++) {
      const omen_wait *wait = &m->waits[i];
      omen_node opening;
      if (!wait->needs || wait->back == OMEN_NONE
          || !omen_window_has (w, wait->back))
        continue;
      wanted = true;
      opening = omen_window_node (w, wait->wait);
      if (opening == OMEN_NONE && oldest == OMEN_NONE)
        oldest = omen_model_position (m, wait->wait);
      OMEN_ASSERT (opening != OMEN_NONE || omen_window_past (w, wait->wait));
      OMEN_VEC_PUSH (w->problem.needs,
                     ((omen_need){ omen_window_node (w, wait->back),
                                   opening == OMEN_NONE ? OMEN_PAST : opening,
                                   omen_model_position (m, wait->wait), c }));
    }
    if (wanted)
      add_notifies (w, c, oldest);
  }
}
