#include "model/window_rules.h"

#include <string.h>

static uint32_t *
ids (omen_window *w, uint32_t count)
{
  uint32_t *p = OMEN_ARENA_NEW (&w->problem.arena, uint32_t, count);
  memset (p, 0xff, count * sizeof *p);
  return p;
}

omen_node
omen_window_node (const omen_window *w, omen_eid e)
{
  uint32_t position = omen_model_position (w->model, e);
  return position < w->from || position >= w->to
             ? OMEN_NONE
             : w->node_of[position - w->from];
}

/* ---- what matters ---- */

typedef struct seen {
  omen_tid thread; /* OMEN_NONE: none yet */
  bool several, written;
} seen;

/* An atom matters if two threads access it in the window and one writes. */
static void
find_atoms (const omen_window *w, omen_relevant *relevant)
{
  const omen_model *m = w->model;
  seen *atoms = omen_alloc (m->atom_count * sizeof *atoms);
  for (uint32_t a = 0; a < m->atom_count; a++)
    atoms[a] = (seen){ OMEN_NONE, false, false };
  for (uint32_t i = w->from; i < w->to; i++) {
    omen_eid e = omen_model_nth (m, i);
    const omen_event *event = omen_model_event (m, e);
    omen_span span;
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
      continue;
    span = omen_model_atoms (m, e);
    for (uint32_t a = span.first; a < span.first + span.count; a++) {
      atoms[a].several
          |= atoms[a].thread != OMEN_NONE && atoms[a].thread != event->thread;
      atoms[a].thread = event->thread;
      atoms[a].written |= omen_kind_writes (event->kind);
    }
  }
  for (uint32_t a = 0; a < m->atom_count; a++)
    relevant->atom[a] = (atoms[a].several || w->sliced) && atoms[a].written
                            ? relevant->atoms++
                            : OMEN_NONE;
  omen_free (atoms);
}

static bool
section_in (const omen_window *w, const omen_section *section)
{
  const omen_model *m = w->model;
  if (omen_model_position (m, section->acquire) >= w->to)
    return false;
  return section->release == OMEN_NONE
         || omen_model_position (m, section->release) >= w->from;
}

/* A lock matters if two threads hold it in the window or a try fails on it. */
static void
find_locks (const omen_window *w, omen_relevant *relevant)
{
  const omen_model *m = w->model;
  for (omen_lid l = 0; l < m->lock_count; l++) {
    omen_tid thread = OMEN_NONE;
    bool several = false;
    relevant->lock[l] = OMEN_NONE;
    if (m->irregular[l])
      continue;
    for (uint32_t s = m->lock_sections[l]; s < m->lock_sections[l + 1]; s++)
      if (section_in (w, &m->sections[s])) {
        several |= thread != OMEN_NONE && thread != m->sections[s].thread;
        thread = m->sections[s].thread;
      }
    for (uint32_t i = m->lock_tries[l]; i < m->lock_tries[l + 1]; i++) {
      uint32_t position = omen_model_position (m, m->tries[i]);
      several |= position >= w->from && position < w->to;
    }
    if (several)
      relevant->lock[l] = relevant->locks++;
  }
}

static bool
access_matters (const omen_window *w, const omen_relevant *relevant, omen_eid e)
{
  omen_span span = omen_model_atoms (w->model, e);
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    if (relevant->atom[a] != OMEN_NONE)
      return true;
  return false;
}

static bool
lock_matters (const omen_window *w, const omen_relevant *relevant, omen_lid l)
{
  return relevant->lock[l] != OMEN_NONE || w->model->irregular[l];
}

static bool
event_matters (const omen_window *w, const omen_relevant *relevant, omen_eid e)
{
  const omen_event *event = omen_model_event (w->model, e);
  if (omen_model_return_of (w->model, e) != OMEN_NONE)
    return true;
  if (w->sliced
      && (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS
          || omen_kind_class (event->kind) == OMEN_CLASS_SYNC
          || event->kind == OMEN_BRANCH))
    return true;
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
    return lock_matters (w, relevant, event->object);
  case OMEN_REQUEST:
    return omen_model_next (w->model, e) == OMEN_NONE;
  case OMEN_LOCK_FAIL:
  case OMEN_FENCE:
    return false;
  default:
    break;
  }
  switch (omen_kind_class (event->kind)) {
  case OMEN_CLASS_ACCESS:
    return access_matters (w, relevant, e);
  case OMEN_CLASS_SYNC:
    return true;
  default:
    return false;
  }
}

/* ---- nodes and chains ---- */

static uint32_t
choose_nodes (omen_window *w, const omen_relevant *relevant,
              const omen_eid *asked, size_t count)
{
  uint32_t nodes = 0;
  w->node_of = omen_zalloc (w->to - w->from, sizeof *w->node_of);
  for (size_t i = 0; i < count; i++) {
    uint32_t at = omen_model_position (w->model, asked[i]);
    if (at >= w->from && at < w->to)
      w->node_of[at - w->from] = 1;
  }
  for (uint32_t i = w->from; i < w->to; i++)
    w->node_of[i - w->from]
        = w->node_of[i - w->from]
                  || event_matters (w, relevant, omen_model_nth (w->model, i))
              ? nodes++
              : OMEN_NONE;
  OMEN_ASSERT (nodes <= w->to - w->from);
  return nodes;
}

/* A thread that holds a lock in the window gets a chain too, maybe an empty
   one. */
static uint32_t
chain_holders (omen_window *w, const omen_relevant *relevant, uint32_t chains)
{
  const omen_model *m = w->model;
  for (omen_lid l = 0; l < m->lock_count; l++)
    for (uint32_t s = m->lock_sections[l];
         relevant->lock[l] != OMEN_NONE && s < m->lock_sections[l + 1]; s++)
      if (section_in (w, &m->sections[s])
          && w->thread_chain[m->sections[s].thread] == OMEN_NONE)
        w->thread_chain[m->sections[s].thread] = chains++;
  return chains;
}

static uint32_t
choose_chains (omen_window *w, const omen_relevant *relevant)
{
  const omen_model *m = w->model;
  uint32_t chains = 0;
  w->thread_chain = omen_alloc (m->thread_count * sizeof (uint32_t));
  memset (w->thread_chain, 0xff, m->thread_count * sizeof (uint32_t));
  for (uint32_t i = w->from; i < w->to; i++) {
    omen_tid t = omen_model_thread (m, omen_model_nth (m, i));
    if (w->node_of[i - w->from] != OMEN_NONE && w->thread_chain[t] == OMEN_NONE)
      w->thread_chain[t] = chains++;
  }
  return chain_holders (w, relevant, chains);
}

static void
fill_chains (omen_window *w)
{
  const omen_model *m = w->model;
  w->event_of = OMEN_ARENA_NEW (&w->problem.arena, omen_eid, w->problem.nodes);
  w->chain_thread = ids (w, w->problem.chains);
  for (omen_tid t = 0; t < m->thread_count; t++)
    if (w->thread_chain[t] != OMEN_NONE)
      w->chain_thread[w->thread_chain[t]] = t;
  for (uint32_t i = w->from; i < w->to; i++) {
    omen_node n = w->node_of[i - w->from];
    omen_eid e = omen_model_nth (m, i);
    if (n == OMEN_NONE)
      continue;
    OMEN_ASSERT (w->thread_chain[omen_model_thread (m, e)] != OMEN_NONE);
    w->event_of[n] = e;
    w->problem.chain_of[n] = w->thread_chain[omen_model_thread (m, e)];
  }
}

/* In trace order, the events before the window are a prefix of each thread. */
static void
find_starts (omen_window *w)
{
  const omen_model *m = w->model;
  w->thread_start
      = OMEN_ARENA_NEW (&w->problem.arena, uint32_t, m->thread_count);
  for (omen_tid t = 0; t < m->thread_count; t++) {
    uint32_t low = OMEN_FIRST_NOT (
        i, 0, m->trace->threads.data[t].count,
        omen_window_past (w, omen_trace_nth (m->trace, t, i)));
    OMEN_ASSERT (low <= m->trace->threads.data[t].count);
    w->thread_start[t] = low;
  }
}

static omen_window *
make_window (const omen_model *model, omen_preserve how, uint32_t from,
             uint32_t to, const omen_eid *asked, size_t count,
             omen_unread unread)
{
  omen_window *w = omen_zalloc (1, sizeof *w);
  omen_relevant relevant = { 0 };
  uint32_t nodes;
  OMEN_REQUIRE (from <= to && to <= model->event_count);
  w->model = model;
  w->unread = unread;
  w->by_value = how != OMEN_PRESERVE_RF;
  w->sliced = how == OMEN_PRESERVE_SLICED && omen_model_depends (model);
  w->blind = how == OMEN_PRESERVE_NOTHING;
  w->from = from;
  w->to = to;
  relevant.atom = omen_alloc (model->atom_count * sizeof (uint32_t));
  relevant.lock = omen_alloc (model->lock_count * sizeof (uint32_t));
  find_atoms (w, &relevant);
  find_locks (w, &relevant);
  nodes = choose_nodes (w, &relevant, asked, count);
  omen_problem_init (&w->problem, nodes, choose_chains (w, &relevant));
  fill_chains (w);
  find_starts (w);
  omen_window_threads (w);
  omen_window_sync (w);
  omen_window_accesses (w, &relevant);
  omen_window_sections (w, &relevant);
  omen_window_semaphores (w);
  omen_window_conditions (w);
  if (w->sliced)
    omen_window_depends (w, &relevant);
  omen_problem_seal (&w->problem);
  w->atom_of = relevant.atom;
  omen_free (relevant.lock);
  OMEN_CHECK (omen_window_valid (w));
  return w;
}

omen_window *
omen_window_new (const omen_model *model, omen_preserve how, uint32_t from,
                 uint32_t to)
{
  return omen_window_new_asked (model, how, from, to, NULL, 0);
}

omen_window *
omen_window_new_unread (const omen_model *model, omen_preserve how,
                        uint32_t from, uint32_t to, omen_unread unread)
{
  return make_window (model, how, from, to, NULL, 0, unread);
}

omen_window *
omen_window_new_asked (const omen_model *model, omen_preserve how,
                       uint32_t from, uint32_t to, const omen_eid *asked,
                       size_t count)
{
  return make_window (model, how, from, to, asked, count, (omen_unread){ 0 });
}

void
omen_window_free (omen_window *window)
{
  if (!window)
    return;
  omen_problem_fini (&window->problem);
  omen_free (window->atom_of);
  omen_free (window->node_of);
  omen_free (window->thread_chain);
  omen_free (window);
}

/* Nodes are events of the window in the order of the trace, those of a chain
   are a thread's. */
bool
omen_window_valid (const omen_window *w)
{
  const omen_model *m = w->model;
  for (omen_node n = 0; n < w->problem.nodes; n++) {
    omen_eid e = w->event_of[n];
    uint32_t chain = w->problem.chain_of[n];
    if (omen_window_node (w, e) != n
        || w->chain_thread[chain] != omen_model_thread (m, e)
        || m->trace->index[e] < w->thread_start[w->chain_thread[chain]])
      return false;
    if (n
        && omen_model_position (m, w->event_of[n - 1])
               >= omen_model_position (m, e))
      return false;
  }
  return omen_problem_valid (&w->problem);
}

void
omen_window_edge (omen_window *w, omen_eid from, omen_eid to)
{
  omen_node f = omen_window_node (w, from), t = omen_window_node (w, to);
  OMEN_ASSERT (t == OMEN_NONE || f != OMEN_NONE || omen_window_past (w, from));
  OMEN_ASSERT (f == OMEN_NONE || t == OMEN_NONE || f < t);
  if (f != OMEN_NONE && t != OMEN_NONE
      && w->problem.chain_of[f] != w->problem.chain_of[t])
    OMEN_VEC_PUSH (w->problem.edges, ((omen_edge){ f, t, false }));
}

/* ---- back to events ---- */

/* Append the events of thread t from where the last call ended up to `end`. */
static void
catch_up (const omen_window *w, uint32_t *reached, omen_tid t, uint32_t end,
          omen_ids *events)
{
  OMEN_ASSERT (end <= w->model->trace->threads.data[t].count);
  while (reached[t] < end)
    OMEN_VEC_PUSH (*events, omen_trace_nth (w->model->trace, t, reached[t]++));
}

void
omen_window_expand (const omen_window *w, const omen_node *sequence,
                    uint32_t count, const omen_eid *next, uint32_t nexts,
                    omen_ids *events)
{
  OMEN_VEC_RESERVE (*events, events->count + w->from + count);
  omen_model_prefix (w->model, w->from, events);
  omen_window_expand_own (w, sequence, count, next, nexts, events);
}

void
omen_window_expand_own (const omen_window *w, const omen_node *sequence,
                        uint32_t count, const omen_eid *next, uint32_t nexts,
                        omen_ids *events)
{
  const omen_model *m = w->model;
  uint32_t *reached = omen_alloc (m->thread_count * sizeof *reached);
  memcpy (reached, w->thread_start, m->thread_count * sizeof *reached);
  for (uint32_t i = 0; i < count; i++) {
    omen_eid e = w->event_of[sequence[i]];
    const omen_event *event = omen_model_event (m, e);
    OMEN_ASSERT (m->trace->index[e] >= reached[omen_model_thread (m, e)]);
    if (event->kind == OMEN_JOIN) /* also after left-out events of it */
      catch_up (w, reached, event->object,
                m->trace->threads.data[event->object].count, events);
    catch_up (w, reached, omen_model_thread (m, e), m->trace->index[e] + 1,
              events);
  }
  for (uint32_t i = 0; i < nexts; i++)
    catch_up (w, reached, omen_model_thread (m, next[i]),
              m->trace->index[next[i]], events);
  omen_free (reached);
}

void
omen_window_finish (const omen_window *w, omen_ids *events)
{
  const omen_trace *trace = w->model->trace;
  uint32_t *reached = omen_zalloc (w->model->thread_count, sizeof *reached);
  for (size_t i = 0; i < events->count; i++)
    reached[omen_model_thread (w->model, events->data[i])]++;
  for (omen_tid t = 0; t < w->model->thread_count; t++)
    catch_up (w, reached, t, trace->threads.data[t].count, events);
  omen_free (reached);
}
