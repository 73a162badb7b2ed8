#include "predict/asker_round.h"
#include "base/crew.h"
#include "base/now.h"
#include "predict/crossings.h"

#include <stdlib.h>

uint32_t
omen_ask_window_of (const omen_ask_round *r, const omen_windows *windows,
                    uint32_t group, const omen_eid *events, uint32_t count)
{
  const omen_model *m = r->asker->model;
  omen_position_span extent = OMEN_SPAN_OF_NONE;
  uint32_t first = 0;
  if (r->inquiry->form == OMEN_ASK_STEPS)
    first = omen_steps_in_place (m, &r->inquiry->steps[group], events, count);
  for (uint32_t i = first; i < count; i++)
    omen_extent_widen (&extent, m, events[i]);
  return omen_windows_find (windows, extent);
}

/* ---- the engine ---- */

/* How many questions a crossing takes: besides e1 before e1' and e2' before
   e2, either e2' or e1' is between e1 and e2. If e1' precedes e2' in their
   thread, the second case covers both. */
static uint32_t
ways_to_cross (const omen_eid *e)
{
  return e[1] > e[2] ? 2 : 1;
}

bool
omen_ask_swaps (const omen_ask_round *r, const omen_eid *events, uint32_t count)
{
  const omen_model *m = r->asker->model;
  if (r->inquiry->form == OMEN_ASK_CROSS)
    return omen_crossing_swaps (m, events, 0).count > 0;
  return r->inquiry->form == OMEN_ASK_NEXT && count == 2
         && omen_model_swap (m, events[0], events[1]) != OMEN_NONE;
}

static void
cross_by (omen_ask_worker *w, const omen_eid *e, uint32_t way, omen_question *q)
{
  uint32_t ways = ways_to_cross (e);
  omen_swaps swaps
      = omen_crossing_swaps (w->round->asker->model, e, way / ways);
  omen_eid enters = e[way % ways ? 1 : 2];
  omen_eid turned[] = { e[0], enters, enters, e[3] };
  const omen_eid *order = ways == 1 ? e : turned;
  OMEN_VEC_CLEAR (w->order);
  OMEN_VEC_CLEAR (w->kept);
  for (uint32_t i = 0; i < swaps.count; i++)
    OMEN_VEC_PUSH (w->kept, swaps.kept[i]);
  for (uint32_t i = 0; i < 4; i++)
    OMEN_VEC_PUSH (w->order, order[i]);
  q->take = e;
  q->takes = 4;
  q->order = w->order.data;
  q->orders = 2;
  q->kept = w->kept.data;
  q->kepts = swaps.count;
}

static uint32_t
ways_to_ask (const omen_ask_round *r, const omen_ask_tuple *t)
{
  switch (r->inquiry->form) {
  case OMEN_ASK_CROSS:
    return ways_to_cross (t->events)
           * omen_crossing_swaps (r->asker->model, t->events, 0).ways;
  case OMEN_ASK_READS_FROM:
    return omen_model_atoms (r->asker->model, t->events[1]).count;
  default:
    return 1;
  }
}

/* a, b: can a come before b, without synchronisation between? */
static void
order_by (omen_ask_worker *w, const omen_eid *e, omen_question *q)
{
  q->has_avoid = true;
  q->avoid[0] = e[0];
  q->avoid[1] = e[1];
  q->take = q->order = e;
  q->takes = 2;
  q->orders = 1;
  w->room[0] = omen_model_swap (w->round->asker->model, e[0], e[1]);
  q->kept = w->room;
  q->kepts = w->room[0] != OMEN_NONE;
}

/* *cut: where the answer is to be cut off, or OMEN_NONE. */
static omen_question
question_of (omen_ask_worker *w, const omen_ask_tuple *t, uint32_t way,
             omen_eid *cut)
{
  omen_question q = { 0 };
  *cut = OMEN_NONE;
  switch (w->round->inquiry->form) {
  case OMEN_ASK_STEPS:
    return omen_steps_question (w, t);
  case OMEN_ASK_NEXT:
    if (t->count == 2)
      *cut
          = omen_question_race (w->round->asker->model, t->events, w->room, &q);
    if (t->count == 2)
      break;
    q.next = t->events;
    q.nexts = t->count;
    break;
  case OMEN_ASK_AFTER:
    q.take = t->events;
    q.takes = 1;
    q.next = t->events + 1;
    q.nexts = 1;
    break;
  case OMEN_ASK_ORDER:
    order_by (w, t->events, &q);
    break;
  case OMEN_ASK_CROSS:
    cross_by (w, t->events, way, &q);
    break;
  case OMEN_ASK_READS_FROM:
    if (omen_reads_from_question (w, t, way, &q))
      *cut = t->events[1];
    break;
  }
  return q;
}

static omen_verdict
ask_engine_once (omen_ask_worker *w, omen_engine *engine, omen_ask_tuple *t,
                 uint32_t way)
{
  omen_eid cut;
  omen_question q = question_of (w, t, way, &cut);
  omen_engine_answer answer;
  bool reads_from = w->round->inquiry->form == OMEN_ASK_READS_FROM;
  omen_verdict verdict;
  OMEN_ASSERT (!t->decided && !t->cut && !t->sequence.count);
  if (reads_from && !q.rf_count)
    return OMEN_ABSENT;
  verdict = omen_engine_ask (engine, &q, &answer);
  if (verdict == OMEN_FOUND) {
    if (cut != OMEN_NONE)
      omen_sequence_cut (&answer.events, cut);
    t->sequence = answer.events;
    return verdict;
  }
  if (verdict == OMEN_UNKNOWN && w->round->last)
    w->round->undecided[t->group]
        |= answer.beyond ? OMEN_ASK_WINDOW : OMEN_ASK_BUDGET;
  OMEN_VEC_FINI (answer.events);
  return verdict;
}

static void
ask_engine (omen_ask_worker *w, omen_engine *engine, omen_ask_tuple *t)
{
  uint32_t ways = ways_to_ask (w->round, t);
  uint32_t absent = 0;
  for (uint32_t way = 0; way < ways; way++) {
    omen_verdict verdict = ask_engine_once (w, engine, t, way);
    absent += verdict == OMEN_ABSENT;
    if (verdict == OMEN_FOUND) {
      t->decided = true;
      OMEN_VEC_PUSH (w->found, *t);
      w->round->found[t->group] = 1;
      return;
    }
  }
  t->decided = absent == ways;
}

static void *
work_engine (void *arg)
{
  omen_ask_worker *w = arg;
  omen_ask_round *r = w->round;
  omen_engine *engine = omen_engine_new (r->view, &r->asker->options->engine);
  for (;;) {
    uint32_t i = atomic_fetch_add (&r->next, 1);
    if (i >= r->end)
      break;
    for (size_t j = r->starts[i]; j < r->starts[i + 1]; j++) {
      omen_ask_tuple *t = &r->pending[j];
      OMEN_ASSERT (t->group == r->pending[r->starts[i]].group);
      if (r->found[t->group] && !r->inquiry->all)
        break;
      if (!omen_is_past (&r->asker->deadline))
        ask_engine (w, engine, t);
      else if (r->last)
        r->undecided[t->group] |= OMEN_ASK_BUDGET;
    }
  }
  omen_engine_stats_add (&w->stats.engine, omen_engine_counts (engine));
  omen_engine_free (engine);
  return NULL;
}

/* ---- one window ---- */

int
omen_ask_by_window_first (const void *a, const void *b)
{
  const omen_ask_tuple *x = a, *y = b;
  if (x->window != y->window)
    return x->window < y->window ? -1 : 1;
  return omen_ask_by_group (a, b);
}

static bool
begins (const omen_ask_tuple *t)
{
  return t[-1].window != t->window || t[-1].group != t->group;
}

/* Find the starts of the groups in pending[0 … count). */
static void
find_starts (omen_ask_round *r)
{
  r->starts = omen_alloc ((r->pending_count + 1) * sizeof *r->starts);
  r->start_count = 0;
  for (size_t i = 0; i < r->pending_count; i++) {
    OMEN_ASSERT (
        !i
        || omen_ask_by_window_first (&r->pending[i - 1], &r->pending[i]) < 0);
    if (!i || begins (&r->pending[i]))
      r->starts[r->start_count++] = i;
  }
  r->starts[r->start_count] = r->pending_count;
}

/* Ask the pieces from r->next to `end`, all in one window. The view is made for
   all tuples that are pending in the window, so that answers do not depend on
   which process asks what. */
static void
ask_window (omen_ask_round *r, uint32_t end)
{
  const omen_asker *asker = r->asker;
  size_t first = r->starts[r->next], last = first;
  uint32_t window = r->pending[first].window;
  omen_range range = omen_windows_range (&r->windows, window);
  omen_ids asked = { 0 };
  omen_window *view;
  while (first && r->pending[first - 1].window == window)
    first--;
  for (; last < r->pending_count && r->pending[last].window == window; last++)
    continue;
  for (size_t i = first; i < last; i++)
    for (uint32_t j = 0; j < r->pending[i].count; j++)
      OMEN_VEC_PUSH (asked, r->pending[i].events[j]);
  view = omen_window_new_asked (asker->model,
                                omen_predict_preserve (asker->options),
                                range.from, range.to, asked.data, asked.count);
  OMEN_VEC_FINI (asked);
  r->view = view;
  r->end = end;
  uint32_t groups = end - r->next;
  omen_crew_run (r->workers, sizeof *r->workers,
                 r->jobs < groups ? r->jobs : groups, work_engine);
  omen_window_free (view);
}

static void
ask_windows (omen_ask_round *r)
{
  uint32_t all = r->end;
  for (uint32_t first = r->next, end; first < all; first = end) {
    uint32_t window = r->pending[r->starts[first]].window;
    for (end = first + 1;
         end < all && r->pending[r->starts[end]].window == window;)
      end++;
    r->next = first;
    ask_window (r, end);
    if (r->asker->sink->progress)
      r->asker->sink->progress (r->asker->sink->context, r->inquiry->what,
                                r->starts[end], r->pending_count);
  }
}

/* ---- all windows ---- */

/* Ask about all pending tuples that fit into windows of this size; the others
   remain pending. */
static void
ask_by_size (omen_ask_round *r, omen_ask_tuples *pending, uint32_t size)
{
  size_t count = 0;
  r->windows = omen_windows_of (r->asker->model, size);
  for (size_t i = 0; i < pending->count; i++) {
    omen_ask_tuple *t = &pending->data[i];
    t->window
        = omen_ask_window_of (r, &r->windows, t->group, t->events, t->count);
    count += t->window != OMEN_NONE;
  }
  OMEN_VEC_SORT (*pending, omen_ask_by_window_first);
  r->pending = pending->data;
  r->pending_count = count; /* OMEN_NONE comes last */
  find_starts (r);
  omen_ask_pieces (r, r->start_count, ask_windows);
  omen_free (r->starts);
  r->starts = NULL;
}

static void
drop_decided (const omen_ask_round *r, omen_ask_tuples *pending)
{
  size_t kept = 0;
  for (size_t i = 0; i < pending->count; i++) {
    const omen_ask_tuple *t = &pending->data[i];
    if (!t->decided && (r->inquiry->all || !r->found[t->group]))
      pending->data[kept++] = *t;
  }
  OMEN_ASSERT (kept <= pending->count);
  pending->count = kept;
}

/* The size of the first, small windows, or 0 to skip them: events that cross
   are mostly close together, and a question costs as much as its window is
   long. Not too small, since each window costs a walk over the events before
   it. */
static uint32_t
small_window (const omen_ask_round *r)
{
  uint32_t all = r->asker->model->event_count;
  uint32_t least = OMEN_HARD_OR (6u, 512u);
  uint32_t size = all / 256 > least ? all / 256 : least;
  if ((r->inquiry->form != OMEN_ASK_CROSS && r->inquiry->form != OMEN_ASK_STEPS)
      || all <= size || size > r->asker->window / 2)
    return 0;
  return size;
}

void
omen_ask_by_window (omen_ask_round *r)
{
  omen_ask_tuples pending = { 0 };
  uint32_t small = small_window (r);
  for (unsigned i = 0; i < r->jobs; i++)
    omen_ask_move (&pending, &r->workers[i].pending);
  r->last = false;
  for (; small && small <= r->asker->window / 2;
       small = r->inquiry->form == OMEN_ASK_STEPS ? 8 * small : 0) {
    ask_by_size (r, &pending, small);
    drop_decided (r, &pending);
  }
  r->last = true;
  ask_by_size (r, &pending, r->asker->window);
  OMEN_VEC_FINI (pending);
}
