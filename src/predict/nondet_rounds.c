/* Quick answers for all pairs of a portion, then the engine for the open ones,
   window by window. */
#include "predict/nondet_hunt.h"
#include "base/crew.h"
#include "base/now.h"

#include <stdlib.h>
#include <string.h>

_Static_assert ((int)OMEN_RF_WCR == OMEN_WCR && (int)OMEN_RF_CRW == OMEN_CRW
                    && (int)OMEN_RF_CR == OMEN_CR,
                "the orders of model and witness are the same");

/* ---- one pair ---- */

static void
keep_plan (const omen_model *m, omen_nondet_pair *p, const omen_rf_plan *plan)
{
  p->plan = *plan;
  p->plan.base = omen_alloc (m->thread_count * sizeof *plan->base);
  memcpy (p->plan.base, plan->base, m->thread_count * sizeof *plan->base);
}

/* Find the first possible order. An order that is UNKNOWN ends the search,
   unless `all` have to be tried. */
static omen_verdict
decide_pair (omen_nondet_worker *w, omen_nondet_pair *p, bool all)
{
  omen_verdict verdict = OMEN_ABSENT;
  OMEN_ASSERT (p->count && !p->plan.base);
  for (omen_rf_order order = p->first; order <= p->last; order++)
    for (uint32_t i = 0; i < p->count; i++) {
      omen_decided decided;
      omen_verdict one
          = omen_decide (w->decider, &p->rivals[i], order, &decided);
      if (!all) {
        w->stats.quick_asked++;
        w->stats.quick_found += decided.quick == OMEN_FOUND;
        w->stats.quick_absent += decided.quick == OMEN_ABSENT;
      }
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

/* ---- windows ---- */

/* A window with all events of the pair; otherwise one without the writer, which
   may lie before the window. */
static uint32_t
window_of (const omen_nondet_hunt *h, const omen_nondet_pair *p)
{
  const omen_triple *q = &p->rivals[0].triple;
  omen_position_span x = OMEN_SPAN_OF_NONE, all;
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

/* ---- workers ---- */

/* Run the workers on the items from `first` to `end`. */
static void
run_workers (omen_nondet_hunt *h, uint32_t first, uint32_t end,
             void *(*work) (void *))
{
  uint32_t count = end - first;
  OMEN_ASSERT (first < end);
  h->next = first;
  h->limit = end;
  omen_crew_run (h->workers, sizeof *h->workers,
                 count < h->jobs ? count : h->jobs, work);
}

/* ---- pieces, done by this process or by all that ask the same ---- */

typedef struct sharing {
  omen_nondet_hunt *hunt;
  void (*some) (omen_nondet_hunt *h, uint32_t first, uint32_t end);
} sharing;

/* Read the pair, or write it and free its memory. */
static void
archive_pair (const omen_nondet_hunt *h, omen_nondet_pair *p,
              omen_archive *archive)
{
  size_t room = h->model->thread_count * sizeof *p->plan.base;
  omen_nondet_pair its = *p;
  omen_archive_bytes (archive, p, sizeof *p);
  if (archive->reading) {
    its.rivals = omen_alloc (p->count * sizeof *p->rivals);
    its.plan.base = p->plan.base ? omen_alloc (room) : NULL;
    its.sequence = (omen_ids){ 0 };
  }
  omen_archive_bytes (archive, its.rivals, p->count * sizeof *p->rivals);
  if (its.plan.base)
    omen_archive_bytes (archive, its.plan.base, room);
  omen_predict_ids_archive (&its.sequence, archive);
  p->rivals = its.rivals;
  p->plan.base = its.plan.base;
  p->sequence = its.sequence;
  if (!archive->reading) {
    omen_free (its.rivals);
    omen_free (its.plan.base);
    *p = (omen_nondet_pair){ 0 };
  }
}

static void
archive_pairs (const omen_nondet_hunt *h, omen_nondet_pairs *pairs,
               omen_archive *archive)
{
  size_t count = omen_archive_count (archive, pairs->count);
  for (size_t i = 0; i < count; i++) {
    if (archive->reading)
      OMEN_VEC_PUSH (*pairs, (omen_nondet_pair){ 0 });
    archive_pair (h,
                  archive->reading ? &OMEN_VEC_LAST (*pairs) : &pairs->data[i],
                  archive);
  }
  if (!archive->reading)
    OMEN_VEC_CLEAR (*pairs);
}

/* Read or write the answers for pairs [first, end), which keep their positions
   in round 2. */
static void
archive_answers (omen_nondet_hunt *h, uint32_t first, uint32_t end,
                 omen_archive *archive)
{
  omen_archive_bytes (archive, &first, sizeof first);
  omen_archive_bytes (archive, &end, sizeof end);
  OMEN_REQUIRE (end <= h->open.count);
  for (uint32_t i = first; i < end; i++) {
    if (archive->reading)
      omen_free (h->open.data[i].rivals); /* NULL if it was written here */
    archive_pair (h, &h->open.data[i], archive);
  }
}

static void
do_some (void *context, uint32_t first, uint32_t end, omen_archive *archive)
{
  const sharing *s = context;
  omen_nondet_hunt *h = s->hunt;
  omen_predict_stats stats = { 0 };
  s->some (h, first, end);
  if (h->by_window)
    archive_answers (h, first, end, archive);
  else {
    archive_pairs (h, &h->found, archive);
    archive_pairs (h, &h->open, archive);
  }
  for (unsigned i = 0; i < h->jobs; i++) {
    omen_predict_stats_add (&stats, &h->workers[i].stats);
    h->workers[i].stats = (omen_predict_stats){ 0 };
  }
  omen_predict_stats_archive (&stats, archive);
}

static void
take_round (void *context, omen_archive *archive)
{
  omen_nondet_hunt *h = ((const sharing *)context)->hunt;
  if (h->by_window)
    archive_answers (h, 0, 0, archive);
  else {
    archive_pairs (h, &h->found, archive);
    archive_pairs (h, &h->open, archive);
  }
  omen_predict_stats_archive (h->stats, archive);
  OMEN_REQUIRE (archive->ok);
}

/* Do the pieces here, or share them: reads of the portion, or open pairs. */
static void
do_pieces (omen_nondet_hunt *h, uint32_t pieces,
           void (*some) (omen_nondet_hunt *h, uint32_t first, uint32_t end))
{
  omen_share *share = h->options->share;
  sharing s = { h, some };
  omen_share_work work = { h->by_window ? "reads, windows" : "reads", pieces,
                           do_some, take_round, &s };
  if (share)
    share->run (share, &work);
  else if (pieces)
    some (h, 0, pieces);
}

/* ---- round 1: quick answers ---- */

static void
take_orders (omen_nondet_worker *w, uint32_t rank, const omen_rival *rivals,
             uint32_t count, omen_rf_order first, omen_rf_order last)
{
  omen_nondet_pair p = { .rank = rank,
                         .rivals = (omen_rival *)rivals,
                         .count = count,
                         .first = first,
                         .last = last };
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
  OMEN_ASSERT (verdict == OMEN_UNKNOWN);
  p.window = window_of (w->hunt, &p);
  OMEN_ASSERT (!p.plan.base && !p.sequence.count);
  OMEN_VEC_PUSH (w->open, p);
}

/* Without grouping, each possible order is reported, else only the first. */
static void
take_pair (omen_nondet_worker *w, uint32_t rank, const omen_rival *rivals,
           uint32_t count)
{
  if (w->hunt->options->group != OMEN_GROUP_NONE)
    take_orders (w, rank, rivals, count, 0, OMEN_RF_ORDERS - 1);
  else
    for (omen_rf_order order = 0; order < OMEN_RF_ORDERS; order++)
      take_orders (w, rank, rivals, count, order, order);
}

static void *
work_quick (void *arg)
{
  omen_nondet_worker *w = arg;
  omen_nondet_hunt *h = w->hunt;
  double start = omen_now ();
  uint32_t rank;
  omen_decider_aim (w->decider, NULL);
  while ((rank = atomic_fetch_add (&h->next, 1)) < h->limit) {
    OMEN_VEC_CLEAR (w->rivals);
    if (omen_nondet_settled (h, h->reads.data[rank]))
      continue;
    omen_rivals_of (h->model, h->reads.data[rank],
                    h->options->model != OMEN_MODEL_RF, &w->rivals);
    for (size_t i = 0, j; i < w->rivals.count; i = j) {
      for (j = i + 1;
           j < w->rivals.count
           && w->rivals.data[j].triple.rival == w->rivals.data[i].triple.rival;)
        j++;
      take_pair (w, rank, &w->rivals.data[i], (uint32_t)(j - i));
    }
  }
  w->stats.quick_seconds += omen_now () - start;
  return NULL;
}

static void
ask_quickly (omen_nondet_hunt *h, uint32_t first, uint32_t end)
{
  run_workers (h, h->first + first, h->first + end, work_quick);
  for (unsigned i = 0; i < h->jobs; i++) {
    omen_nondet_worker *w = &h->workers[i];
    for (size_t j = 0; j < w->found.count; j++)
      OMEN_VEC_PUSH (h->found, w->found.data[j]);
    for (size_t j = 0; j < w->open.count; j++)
      OMEN_VEC_PUSH (h->open, w->open.data[j]);
    OMEN_VEC_CLEAR (w->found);
    OMEN_VEC_CLEAR (w->open);
  }
}

void
omen_nondet_ask_quickly (omen_nondet_hunt *h)
{
  OMEN_REQUIRE (!h->found.count && !h->open.count);
  do_pieces (h, h->end - h->first, ask_quickly);
}

/* ---- round 2: the engine ---- */

static void *
work_engine (void *arg)
{
  omen_nondet_worker *w = arg;
  omen_nondet_hunt *h = w->hunt;
  uint32_t i;
  omen_decider_aim (w->decider, h->view);
  while ((i = atomic_fetch_add (&h->next, 1)) < h->limit) {
    omen_nondet_pair *p = &h->open.data[i];
    OMEN_ASSERT (p->window == h->view_index);
    p->verdict = OMEN_UNKNOWN;
    if (!omen_is_past (&h->deadline))
      decide_pair (w, p, true);
  }
  omen_decider_counts (w->decider, &w->stats.engine);
  omen_decider_aim (w->decider, NULL);
  return NULL;
}

int
omen_nondet_by_read (const void *a, const void *b)
{
  const omen_nondet_pair *x = a, *y = b;
  omen_eid c = x->rivals[0].triple.rival, d = y->rivals[0].triple.rival;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (c != d)
    return c < d ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static int
by_window (const void *a, const void *b)
{
  const omen_nondet_pair *x = a, *y = b;
  if (x->window != y->window)
    return x->window < y->window ? -1 : 1;
  return omen_nondet_by_read (a, b);
}

static void
ask_by_window (omen_nondet_hunt *h, uint32_t first, uint32_t end)
{
  for (uint32_t next; first < end; first = next) {
    uint32_t window = h->open.data[first].window;
    for (next = first; next < end && h->open.data[next].window == window;)
      next++;
    if (!h->view || h->view_index != window) {
      omen_range range = omen_windows_range (&h->windows, window);
      for (unsigned i = 0; i < h->jobs; i++)
        omen_decider_aim (h->workers[i].decider, NULL);
      omen_window_free (h->view);
      h->view = omen_window_new (h->model, omen_predict_preserve (h->options),
                                 range.from, range.to);
      h->view_index = window;
    }
    run_workers (h, first, next, work_engine);
  }
}

void
omen_nondet_ask_by_window (omen_nondet_hunt *h)
{
  uint32_t count = 0;
  OMEN_REQUIRE (h->open.count <= UINT32_MAX);
  OMEN_VEC_SORT (h->open, by_window);
  for (size_t i = 0; i < h->open.count; i++) {
    h->open.data[i].verdict = OMEN_UNKNOWN;
    count += h->open.data[i].window != OMEN_NONE; /* others come last */
  }
  h->by_window = true;
  do_pieces (h, count, ask_by_window);
  h->by_window = false;
}
