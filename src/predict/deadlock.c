/* Deadlocks: cycles of lock requests.

   Requests that differ only in their position (same thread, requested lock and
   mode, locks held) are one dependence: "T1 requests b while holding a". A
   group is a cycle of dependences of different threads in which each requested
   lock is held by the next thread, and no lock is held by two of them in
   conflicting modes (a gate). Its tuples are the choices of one request from
   each dependence.

   If the recorded run itself ended stuck, and not in one of these cycles, that
   is reported, too (stuck.h). */
#include "base/map.h"
#include "predict/asker.h"
#include "predict/standstill.h"
#include "predict/stuck.h"

#include <string.h>

/* The mode that is requested; ANY: unknown, as the request was never
   granted. */
typedef enum want { WANT_WRITE, WANT_READ, WANT_ANY } want;

typedef struct dependence {
  omen_tid thread;
  omen_lid lock;
  want mode;
  uint32_t set;          /* locks held by the first request */
  uint32_t first, count; /* in requests, in order of the trace */
} dependence;

typedef struct cycle {
  uint32_t first, count; /* in links */
} cycle;

typedef struct graph {
  const omen_model *model;
  OMEN_VEC (dependence) dependences;
  omen_ids requests;
  omen_ids links; /* dependences of cycles */
  OMEN_VEC (cycle) cycles;
  bool cut_short;
} graph;

#define CYCLES_MAX 100000u

/* ---- dependences ---- */

/* Is e a blocking request of a regular lock? Sets its lock and mode. */
static bool
is_request (const omen_model *m, omen_eid e, omen_lid *lock, want *mode)
{
  const omen_event *event = omen_model_event (m, e);
  *lock = event->object;
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    *mode = event->kind == OMEN_ACQUIRE ? WANT_WRITE : WANT_READ;
    return !(event->mode & OMEN_MODE_TRY) && m->at[e] != OMEN_NONE;
  case OMEN_WAKE:
    *lock = (uint32_t)event->value;
    *mode = WANT_WRITE;
    return *lock != OMEN_NONE && !m->irregular[*lock];
  case OMEN_REQUEST:
    *mode = WANT_ANY;
    return omen_model_next (m, e) == OMEN_NONE && !m->irregular[*lock];
  default:
    return false;
  }
}

static uint32_t
dependence_for (graph *g, omen_map *map, omen_eid e, omen_lid lock, want mode)
{
  const omen_model *m = g->model;
  uint32_t locks = m->sets[m->set_of[e]].locks;
  omen_tid t = omen_model_thread (m, e);
  uint32_t *half = omen_map_at (map, OMEN_PAIR (t, lock) * 4 + mode);
  uint32_t *slot;
  OMEN_ASSERT (lock < m->lock_count && mode <= WANT_ANY);
  if (*half == OMEN_NONE)
    *half = map->count;
  slot = omen_map_at (map, (uint64_t)1 << 63 | OMEN_PAIR (*half, locks));
  if (*slot == OMEN_NONE) {
    dependence d = { t, lock, mode, m->set_of[e], 0, 0 };
    *slot = (uint32_t)g->dependences.count;
    OMEN_VEC_PUSH (g->dependences, d);
  }
  return *slot;
}

/* Collect the requests of threads that hold a lock, by dependence. */
static void
find_dependences (graph *g)
{
  const omen_model *m = g->model;
  omen_ids which = { 0 }, events = { 0 };
  omen_map map;
  uint32_t sum = 0;
  omen_map_init (&map);
  for (uint32_t i = 0; i < m->event_count; i++) {
    omen_eid e = omen_model_nth (m, i);
    omen_lid lock;
    want mode;
    if (!m->sets[m->set_of[e]].locks || !is_request (m, e, &lock, &mode))
      continue;
    OMEN_VEC_PUSH (events, e);
    OMEN_VEC_PUSH (which, dependence_for (g, &map, e, lock, mode));
    g->dependences.data[OMEN_VEC_LAST (which)].count++;
  }
  for (size_t d = 0; d < g->dependences.count; d++) {
    g->dependences.data[d].first = sum;
    sum += g->dependences.data[d].count;
    g->dependences.data[d].count = 0;
  }
  OMEN_ASSERT (sum == events.count && sum == which.count);
  OMEN_VEC_RESERVE (g->requests, sum);
  g->requests.count = sum;
  for (size_t i = 0; i < events.count; i++) {
    dependence *d = &g->dependences.data[which.data[i]];
    g->requests.data[d->first + d->count++] = events.data[i];
  }
  omen_map_fini (&map);
  OMEN_VEC_FINI (which);
  OMEN_VEC_FINI (events);
}

/* ---- cycles ---- */

/* Does b hold the lock that a requests, in a conflicting mode? */
static bool
waits_for (const graph *g, const dependence *a, const dependence *b)
{
  const omen_model *m = g->model;
  const omen_set *set = &m->sets[b->set];
  for (uint32_t h = set[0].first; h < set[1].first; h++)
    if (m->held[h].lock == a->lock
        && (a->mode == WANT_WRITE || m->held[h].mode == OMEN_LOCK_WRITE))
      return true;
  return false;
}

/* Can d extend the path: another thread than all in it, and no gate? */
static bool
fits_path (const graph *g, const omen_ids *path, const dependence *d)
{
  for (size_t i = 0; i < path->count; i++) {
    const dependence *p = &g->dependences.data[path->data[i]];
    if (p->thread == d->thread
        || omen_model_sets_exclude (g->model, p->set, d->set))
      return false;
  }
  return true;
}

static void
add_cycle (graph *g, const omen_ids *path)
{
  cycle c = { (uint32_t)g->links.count, (uint32_t)path->count };
  OMEN_ASSERT (path->count >= 2 && path->count <= OMEN_TUPLE_MAX);
  if (g->cycles.count == CYCLES_MAX) {
    g->cut_short = true;
    return;
  }
  for (size_t i = 0; i < path->count; i++)
    OMEN_VEC_PUSH (g->links, path->data[i]);
  OMEN_VEC_PUSH (g->cycles, c);
}

/* Each cycle is found from its least dependence only. */
static void
extend_path (graph *g, omen_ids *path)
{
  uint32_t start = path->data[0];
  const dependence *last = &g->dependences.data[OMEN_VEC_LAST (*path)];
  if (path->count > 1 && waits_for (g, last, &g->dependences.data[start]))
    add_cycle (g, path);
  if (path->count == OMEN_TUPLE_MAX || g->cut_short)
    return;
  for (uint32_t d = start + 1; d < g->dependences.count; d++)
    if (waits_for (g, last, &g->dependences.data[d])
        && fits_path (g, path, &g->dependences.data[d])) {
      OMEN_VEC_PUSH (*path, d);
      extend_path (g, path);
      path->count--;
    }
}

static void
find_cycles (graph *g)
{
  omen_ids path = { 0 };
  for (uint32_t d = 0; d < g->dependences.count && !g->cut_short; d++) {
    OMEN_VEC_CLEAR (path);
    OMEN_VEC_PUSH (path, d);
    extend_path (g, &path);
  }
  OMEN_VEC_FINI (path);
}

/* ---- instances ---- */

typedef struct choosing {
  const graph *graph;
  const cycle *cycle;
  omen_eid events[OMEN_TUPLE_MAX];
  omen_asker_each each;
  void *context;
  bool stopped;
} choosing;

/* Choose one request from each dependence; requests that are ordered anyway
   are skipped. */
static void
choose_dependence (choosing *c, uint32_t i)
{
  const graph *g = c->graph;
  const dependence *d;
  if (i == c->cycle->count) {
    c->stopped = !c->each (c->context, c->events, i);
    return;
  }
  d = &g->dependences.data[g->links.data[c->cycle->first + i]];
  for (uint32_t k = 0; k < d->count && !c->stopped; k++) {
    omen_eid e = g->requests.data[d->first + k];
    bool ordered = false;
    for (uint32_t j = 0; j < i && !ordered; j++)
      ordered = omen_model_must_before (g->model, e, c->events[j])
                || omen_model_must_before (g->model, c->events[j], e);
    if (ordered)
      continue;
    c->events[i] = e;
    choose_dependence (c, i + 1);
  }
}

static void
each_instance (const void *candidates, uint32_t group, omen_asker_each each,
               void *context)
{
  const graph *g = candidates;
  choosing c = { .graph = g,
                 .cycle = &g->cycles.data[group],
                 .each = each,
                 .context = context };
  OMEN_REQUIRE (group < g->cycles.count);
  choose_dependence (&c, 0);
}

/* ---- reports ---- */

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_map seen; /* hash of locations: one report for each */
  bool stuck;    /* one of the cycles is how the run ended */
} hunt;

/* Cycles with the same set of source lines get one report. */
static bool
seen_before (hunt *h, const omen_eid *events, uint32_t count)
{
  uint32_t *slot;
  if (h->options->group == OMEN_GROUP_NONE)
    return false;
  slot = omen_map_at (&h->seen,
                      omen_standstill_key (h->model, events, count, false));
  if (*slot != OMEN_NONE)
    return true;
  *slot = 1;
  return false;
}

static bool
report_answer (void *context, uint32_t group, const omen_eid *events,
               uint32_t count, uint32_t instances, omen_ids *sequence)
{
  hunt *h = context;
  omen_eid turned[OMEN_TUPLE_MAX];
  omen_finding finding;
  uint32_t least = 0;
  OMEN_ASSERT (count >= 2 && count <= OMEN_TUPLE_MAX);
  h->stuck = h->stuck || omen_stuck_all (h->model, events, count);
  if (seen_before (h, events, count))
    return true;
  for (uint32_t i = 1; i < count; i++)
    if (events[i] < events[least])
      least = i;
  for (uint32_t i = 0; i < count; i++)
    turned[i] = events[(least + i) % count];
  omen_predict_finding (h->model, h->options, OMEN_FINDING_DEADLOCK,
                        OMEN_CLAIM_DEADLOCK, turned, count, sequence, &finding);
  finding.count = instances;
  finding.trial = h->options->tries;
  if (finding.trial)
    finding.status = OMEN_STATUS_UNVERIFIED;
  return h->sink->found (h->sink->context, &finding);
}

bool
omen_predict_deadlock (const omen_model *model,
                       const omen_predict_options *options,
                       const omen_sink *sink, omen_predict_stats *stats)
{
  hunt h = { model, options, sink, { 0 }, false };
  graph g = { .model = model };
  omen_asker *asker;
  bool go_on = true;
  if (omen_predict_stopped (options))
    return false;
  omen_map_init (&h.seen);
  find_dependences (&g);
  find_cycles (&g);
  if (g.cycles.count) {
    omen_inquiry inquiry = { .what = "deadlock",
                             .candidates = &g,
                             .groups = (uint32_t)g.cycles.count,
                             .all = options->group == OMEN_GROUP_NONE,
                             .enumerate = each_instance,
                             .answered = report_answer,
                             .context = &h };
    asker = omen_asker_new (model, options, sink);
    go_on = omen_asker_run (asker, &inquiry, stats);
    omen_asker_free (asker);
  }
  stats->undecided += g.cut_short;
  if (go_on && !h.stuck && !options->tries)
    go_on = omen_predict_stuck (model, options, sink, stats, &h.seen);
  if (go_on && !options->tries)
    go_on = omen_predict_standstill (model, options, sink, stats, &h.seen);
  omen_map_fini (&h.seen);
  OMEN_VEC_FINI (g.dependences);
  OMEN_VEC_FINI (g.requests);
  OMEN_VEC_FINI (g.links);
  OMEN_VEC_FINI (g.cycles);
  return go_on;
}
