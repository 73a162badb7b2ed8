/* Nondeterministic reads: each (read, write that it could see instead), with
   the order of the three that the rule of doc/semantics.md prefers.

   The pairs are taken in portions, so that memory does not grow with their
   number; in a portion, quick answers for all pairs first, then the engine for
   what is left, window by window. The same findings come out for any number of
   jobs. */
#include "predict/decider.h"
#include "base/crew.h"
#include "base/now.h"
#include "base/seeded.h"
#include "predict/nondet_kept.h"
#include "predict/windows.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

_Static_assert ((int)OMEN_SIGHT_WCR == OMEN_WCR
                    && (int)OMEN_SIGHT_CRW == OMEN_CRW
                    && (int)OMEN_SIGHT_CR == OMEN_CR,
                "the orders of model and witness are the same");

typedef struct pair {
  uint32_t rank; /* of the read */
  omen_rival *rivals; /* one an atom */
  uint32_t count;
  uint32_t window; /* OMEN_NONE: too far apart */
  omen_sight_order order;
  omen_eid writer; /* in the atom that was found */
  omen_verdict verdict;
  omen_plan plan; /* found by a quick answer */
  omen_ids sequence; /* by the engine */
} pair;
typedef OMEN_VEC (pair) pairs;

typedef struct hunt hunt;

typedef struct worker {
  hunt *hunt;
  omen_decider *decider;
  omen_rivals rivals;
  pairs found, open;
  omen_predict_stats stats;
} worker;

struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_predict_stats *stats;
  omen_quick *quick;
  omen_windows windows;
  double deadline; /* 0: none */
  omen_ids reads; /* by location */
  uint8_t *settled; /* brief: by location, + 1: it was reported */
  worker *workers;
  unsigned jobs;
  /* the portion at hand */
  uint32_t first, end; /* in reads */
  pairs found, open;
  _Atomic uint32_t next, limit;
  /* the window at hand */
  omen_window *view;
  uint32_t view_index;
};

static bool
is_settled (const hunt *h, omen_eid read)
{
  uint32_t location = omen_model_event (h->model, read)->location;
  return h->settled && h->settled[location + 1]; /* OMEN_NONE is 0 */
}

/* ---- one pair ---- */

static void
keep_plan (const omen_model *m, pair *p, const omen_plan *plan)
{
  p->plan = *plan;
  p->plan.base = omen_alloc (m->thread_count * sizeof *plan->base);
  memcpy (p->plan.base, plan->base, m->thread_count * sizeof *plan->base);
}

static void
count_quick (omen_predict_stats *stats, omen_verdict verdict)
{
  stats->quick_asked++;
  stats->quick_found += verdict == OMEN_FOUND;
  stats->quick_absent += verdict == OMEN_ABSENT;
}

/* The first order that is possible; UNKNOWN ones are passed over if `all` are to
   be tried. */
static omen_verdict
decide_pair (worker *w, pair *p, bool all)
{
  omen_verdict verdict = OMEN_ABSENT;
  OMEN_ASSERT (p->count && !p->plan.base);
  for (omen_sight_order order = OMEN_BUG (186); order < OMEN_SIGHT_ORDERS;
       order++)
    for (uint32_t i = 0; i < p->count; i++) {
      omen_decided decided;
      omen_verdict one
          = omen_decide (w->decider, &p->rivals[i], order, &decided);
      if (!all)
        count_quick (&w->stats, decided.quick);
      if (one == OMEN_FOUND) {
        p->order = order;
        p->writer = p->rivals[i].triple.writer;
        p->sequence = decided.sequence;
        if (decided.quick == OMEN_FOUND)
          keep_plan (w->hunt->model, p, &decided.plan);
        return p->verdict = OMEN_FOUND;
      }
      if (one == OMEN_UNKNOWN && !all)
        return OMEN_UNKNOWN;
      if (one == OMEN_UNKNOWN)
        verdict = OMEN_UNKNOWN;
    }
  return p->verdict = verdict;
}

static void
drop_pair (pair *p)
{
  omen_free (p->rivals);
  omen_free (p->plan.base);
  OMEN_VEC_FINI (p->sequence);
}

/* ---- windows ---- */

/* A window with all events of the pair; if there is none, one without the
   writer, which can then come first. */
static uint32_t
window_of (const hunt *h, const pair *p)
{
  const omen_triple *q = &p->rivals[0].triple;
  omen_extent x = OMEN_EXTENT_OF_NONE, all;
  uint32_t index;
  omen_extent_widen (&x, h->model, q->read);
  omen_extent_widen (&x, h->model, q->rival);
  all = x;
  for (uint32_t i = 0; i < p->count; i++)
    if (p->rivals[i].triple.writer != OMEN_NONE)
      omen_extent_widen (&all, h->model, p->rivals[i].triple.writer);
  index = omen_windows_find (&h->windows, all);
  return index != OMEN_NONE ? index : omen_windows_find (&h->windows, x);
}

static void
view_window (hunt *h, uint32_t index)
{
  omen_range range = omen_windows_range (&h->windows, index);
  if (h->view && h->view_index == index)
    return;
  for (unsigned i = 0; i < h->jobs; i++)
    omen_decider_aim (h->workers[i].decider, NULL);
  omen_window_free (h->view);
  h->view = omen_window_new (h->model, omen_predict_preserve (h->options),
                             range.from, range.to);
  h->view_index = index;
}

/* ---- round 1: quick answers ---- */

static void
take_pair (worker *w, uint32_t rank, const omen_rival *rivals, uint32_t count)
{
  pair p = { .rank = rank, .rivals = (omen_rival *)rivals, .count = count };
  omen_verdict verdict = decide_pair (w, &p, false);
  w->stats.candidates++;
  if (verdict == OMEN_ABSENT)
    return;
  p.rivals = omen_alloc (count * sizeof *rivals);
  memcpy (p.rivals, rivals, count * sizeof *rivals);
  if (verdict == OMEN_FOUND) {
    OMEN_VEC_PUSH (w->found, p);
    return;
  }
  p.window = window_of (w->hunt, &p);
  OMEN_ASSERT (!p.plan.base && !p.sequence.count);
  OMEN_VEC_PUSH (w->open, p);
}

static void *
work_quick (void *arg)
{
  worker *w = arg;
  hunt *h = w->hunt;
  double start = omen_now ();
  uint32_t rank;
  omen_decider_aim (w->decider, NULL);
  while ((rank = atomic_fetch_add (&h->next, 1)) < h->limit) {
    OMEN_VEC_CLEAR (w->rivals);
    if (is_settled (h, h->reads.data[rank]))
      continue;
    omen_rivals_of (h->model, h->reads.data[rank],
                    h->options->model != OMEN_MODEL_RF, &w->rivals);
    for (size_t i = 0, j; i < w->rivals.count; i = j) {
      for (j = i + 1; j < w->rivals.count
                      && w->rivals.data[j].triple.rival
                             == w->rivals.data[i].triple.rival;)
        j++;
      take_pair (w, rank, &w->rivals.data[i], (uint32_t)(j - i));
    }
  }
  w->stats.quick_seconds += omen_now () - start;
  return NULL;
}

/* ---- round 2: the engine ---- */

static void *
work_engine (void *arg)
{
  worker *w = arg;
  hunt *h = w->hunt;
  uint32_t i;
  omen_decider_aim (w->decider, h->view);
  while ((i = atomic_fetch_add (&h->next, 1)) < h->limit) {
    pair *p = &h->open.data[i];
    p->verdict = OMEN_UNKNOWN;
    if (!omen_is_past (h->deadline))
      decide_pair (w, p, true);
  }
  omen_decider_counts (w->decider, &w->stats.engine);
  omen_decider_aim (w->decider, NULL);
  return NULL;
}

/* Let workers take what is from `first` to `end`. */
static void
run_workers (hunt *h, size_t first, size_t end, void *(*work) (void *))
{
  size_t count = end - first;
  OMEN_ASSERT (first < end && end <= UINT32_MAX);
  h->next = (uint32_t)first;
  h->limit = (uint32_t)end;
  omen_crew_run (h->workers, sizeof *h->workers,
                 count < h->jobs ? (unsigned)count : h->jobs, work);
}

/* ---- portions ---- */

static int
by_read (const void *a, const void *b)
{
  const pair *x = a, *y = b;
  omen_eid c = x->rivals[0].triple.rival, d = y->rivals[0].triple.rival;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return c < d ? -1 : c > d;
}

static int
by_window (const void *a, const void *b)
{
  const pair *x = a, *y = b;
  if (x->window != y->window)
    return x->window < y->window ? -1 : 1;
  return by_read (a, b);
}

static void
gather (hunt *h)
{
  for (unsigned i = 0; i < h->jobs; i++) {
    worker *w = &h->workers[i];
    for (size_t j = 0; j < w->found.count; j++)
      OMEN_VEC_PUSH (h->found, w->found.data[j]);
    for (size_t j = 0; j < w->open.count; j++)
      OMEN_VEC_PUSH (h->open, w->open.data[j]);
    OMEN_VEC_CLEAR (w->found);
    OMEN_VEC_CLEAR (w->open);
  }
}

static void
ask_windows (hunt *h)
{
  size_t first = 0, end;
  if (h->open.count)
    qsort (h->open.data, h->open.count, sizeof *h->open.data, by_window);
  for (; first < h->open.count; first = end) {
    uint32_t window = h->open.data[first].window;
    for (end = first;
         end < h->open.count && h->open.data[end].window == window; end++)
      h->open.data[end].verdict = OMEN_UNKNOWN;
    if (window == OMEN_NONE)
      continue;
    view_window (h, window);
    run_workers (h, first, end, work_engine);
  }
}

static uint32_t
location_of (const hunt *h, const pair *p)
{
  return omen_model_event (h->model, p->rivals[0].triple.read)->location;
}

/* How many of those found, from i on, one report is made for. */
static uint32_t
fold (hunt *h, size_t i)
{
  uint32_t count = 1, location = location_of (h, &h->found.data[i]);
  if (!h->settled)
    return 1;
  OMEN_ASSERT (!h->settled[location + 1]);
  h->settled[location + 1] = 1;
  while (i + count < h->found.count
         && location_of (h, &h->found.data[i + count]) == location)
    count++;
  return count;
}

static bool
report (hunt *h, pair *p, uint32_t count)
{
  omen_eid events[2]
      = { p->rivals[0].triple.read, p->rivals[0].triple.rival };
  omen_finding finding;
  OMEN_ASSERT (p->verdict == OMEN_FOUND);
  omen_predict_finding (h->model, h->options, OMEN_FINDING_NONDET,
                        OMEN_CLAIM_NONDET, events, 2, &p->sequence, &finding);
  finding.witness.claim.word = p->order;
  finding.writer = p->writer;
  finding.count = count;
  return h->sink->found (h->sink->context, &finding);
}

#define MOST_TRIES 16u

/* Of `count` pairs from i on, one report for the first that is sure. */
static bool
report_one (hunt *h, size_t i, uint32_t count)
{
  for (uint32_t j = 0; j < count && j < MOST_TRIES; j++) {
    pair *p = &h->found.data[i + j];
    if (p->plan.base)
      omen_plan_sequence (h->model, &p->plan, &p->sequence);
    if (omen_challenger_kept (h->model, &p->sequence,
                              p->rivals[0].triple.rival,
                              h->options->model != OMEN_MODEL_RF))
      return report (h, p, count);
  }
  h->stats->undecided++;
  return true;
}

/* Found pairs in order; all are dropped. Reads are in the order of their
   locations, so those that go together are neighbours. */
static bool
hand_over (hunt *h)
{
  bool go_on = true;
  for (size_t i = 0; i < h->open.count; i++)
    if (h->open.data[i].verdict == OMEN_FOUND)
      OMEN_VEC_PUSH (h->found, h->open.data[i]);
    else {
      h->stats->undecided += h->open.data[i].verdict == OMEN_UNKNOWN;
      drop_pair (&h->open.data[i]);
    }
  if (h->found.count)
    qsort (h->found.data, h->found.count, sizeof *h->found.data, by_read);
  for (size_t i = 0, count; go_on && i < h->found.count; i += count) {
    count = fold (h, i);
    go_on = report_one (h, i, (uint32_t)count);
  }
  for (size_t i = 0; i < h->found.count; i++)
    drop_pair (&h->found.data[i]);
  OMEN_VEC_CLEAR (h->found);
  OMEN_VEC_CLEAR (h->open);
  return go_on;
}

#define PORTION OMEN_HARD_OR (7u, 200000u)

/* As many reads as have about PORTION rivals. */
static void
next_portion (hunt *h)
{
  uint64_t count = 0;
  h->first = h->end;
  while (h->end < h->reads.count && count < PORTION) {
    omen_eid read = h->reads.data[h->end++];
    count += is_settled (h, read) ? 0 : omen_rivals_count (h->model, read);
  }
}

static void
skip_portion (hunt *h)
{
  for (uint32_t i = h->first; i < h->end; i++)
    if (!is_settled (h, h->reads.data[i]))
      h->stats->undecided += omen_rivals_count (h->model, h->reads.data[i]) > 1;
}

static bool
run_portions (hunt *h)
{
  bool go_on = true;
  while (go_on && h->end < h->reads.count) {
    next_portion (h);
    if (omen_is_past (h->deadline)) {
      skip_portion (h);
      continue;
    }
    run_workers (h, h->first, h->end, work_quick);
    gather (h);
    ask_windows (h);
    go_on = hand_over (h);
    if (h->sink->progress)
      h->sink->progress (h->sink->context, "nondeterminism", h->end,
                         h->reads.count);
  }
  return go_on;
}

static void
hunt_init (hunt *h)
{
  h->quick = omen_quick_new (h->model, omen_predict_preserve (h->options));
  h->windows = omen_windows_of (h->model, omen_predict_window (h->options));
  h->deadline = omen_deadline_in (h->options->timeout);
  h->jobs = h->options->jobs ? h->options->jobs : 1;
  h->workers = omen_zalloc (h->jobs, sizeof *h->workers);
  for (unsigned i = 0; i < h->jobs; i++) {
    h->workers[i].hunt = h;
    h->workers[i].decider
        = omen_decider_new (h->model, h->quick, h->options);
  }
  omen_reads_by_location (h->model, &h->reads);
  if (h->options->brief)
    h->settled = omen_zalloc (h->model->trace->locations.count + 1, 1);
}

static void
hunt_fini (hunt *h)
{
  for (unsigned i = 0; i < h->jobs; i++) {
    worker *w = &h->workers[i];
    omen_predict_stats_add (h->stats, &w->stats);
    omen_decider_free (w->decider);
    OMEN_VEC_FINI (w->rivals);
    OMEN_VEC_FINI (w->found);
    OMEN_VEC_FINI (w->open);
  }
  omen_free (h->workers);
  omen_free (h->settled);
  omen_window_free (h->view);
  omen_quick_free (h->quick);
  OMEN_VEC_FINI (h->reads);
  OMEN_VEC_FINI (h->found);
  OMEN_VEC_FINI (h->open);
}

bool
omen_predict_nondet (const omen_model *model,
                     const omen_predict_options *options,
                     const omen_sink *sink, omen_predict_stats *stats)
{
  hunt h = { .model = model, .options = options, .sink = sink,
             .stats = stats };
  bool go_on;
  hunt_init (&h);
  go_on = run_portions (&h);
  hunt_fini (&h);
  return go_on;
}
