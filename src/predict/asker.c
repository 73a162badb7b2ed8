#include "predict/asker.h"
#include "base/now.h"
#include "base/seeded.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One instance, as far as it got. */
typedef struct tuple {
  uint32_t group, rank; /* rank: which instance of its group */
  uint32_t count;
  uint32_t window;      /* while pending */
  uint32_t instances;   /* of the group that are known to hold */
  bool decided;         /* by the engine */
  omen_eid events[OMEN_TUPLE_MAX];
  uint32_t *cut;        /* found by the quick answer: to make the sequence */
  omen_ids sequence;    /* found by the engine */
} tuple;
typedef OMEN_VEC (tuple) tuples;

struct omen_asker {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_quick *quick;
  uint32_t window, stride;
  double deadline; /* 0: none */
};

enum { BUDGET = 1, WINDOW = 2 };

/* What the workers of a round share. A group belongs to one worker at a time. */
typedef struct round {
  omen_asker *asker;
  const omen_inquiry *inquiry;
  _Atomic uint32_t next;
  uint8_t *found;     /* by group */
  uint8_t *undecided; /* by group: BUDGET and WINDOW, what stood in the way */
  /* round 2 */
  uint32_t window, stride;
  bool last; /* what stays open is undecided */
  const omen_window *view;
  tuple *pending; /* of this window, by group, then rank */
  size_t pending_count;
  size_t *starts; /* where the groups of pending begin */
  size_t start_count;
} round;

typedef struct worker {
  pthread_t thread;
  round *round;
  tuples found, pending;
  omen_predict_stats stats;
  uint32_t *cut;
  /* the group at hand */
  uint32_t group, rank;
  uint64_t asks; /* instances of it that count as questions */
  uint32_t more; /* instances tried after the first that was found */
  omen_ids take, order, together; /* of the question at hand */
} worker;

static bool
out_of_time (const omen_asker *asker)
{
  return asker->deadline > 0 && omen_now () > asker->deadline;
}

omen_asker *
omen_asker_new (const omen_model *model, const omen_predict_options *options,
                const omen_sink *sink)
{
  omen_asker *asker = omen_zalloc (1, sizeof *asker);
  asker->model = model;
  asker->options = options;
  asker->sink = sink;
  asker->quick = omen_quick_new (model, omen_predict_preserve (options));
  asker->window = options->window ? options->window : OMEN_DEFAULT_WINDOW;
  asker->stride = asker->window > 1 ? asker->window / 2 : 1;
  if (options->timeout > 0)
    asker->deadline = omen_now () + options->timeout;
  return asker;
}

void
omen_asker_free (omen_asker *asker)
{
  if (!asker)
    return;
  omen_quick_free (asker->quick);
  omen_free (asker);
}

/* ---- round 1: quick answers ---- */

static void
keep_found (worker *w, const omen_eid *events, uint32_t count)
{
  uint32_t threads = w->round->asker->model->thread_count;
  tuple t = { .group = w->group, .rank = w->rank, .count = count,
              .instances = 1 };
  memcpy (t.events, events, count * sizeof *events);
  t.cut = omen_alloc (threads * sizeof *t.cut);
  memcpy (t.cut, w->cut, threads * sizeof *t.cut);
  OMEN_VEC_PUSH (w->found, t);
  w->round->found[w->group] = 1;
}

/* Steps that come first in the trace as they do in the pattern need not be in the
   window, but before it: how many. */
static uint32_t
steps_in_place (const omen_asker *asker, const omen_ask_steps *steps,
                const omen_eid *events, uint32_t count)
{
  uint32_t k = 0;
  if (steps->first != 1)
    return 0;
  for (; k + 1 < count && !(steps->glued >> k & 3); k++)
    for (uint32_t j = k + 1; j < count; j++)
      if (omen_model_position (asker->model, events[j])
          <= omen_model_position (asker->model, events[k]))
        return k;
  return k;
}

/* The window in which all events lie; OMEN_NONE: too far apart. */
static uint32_t
window_of (const round *r, uint32_t group, uint32_t size, uint32_t stride,
           const omen_eid *events, uint32_t count)
{
  const omen_asker *asker = r->asker;
  uint32_t low = UINT32_MAX, high = 0, index, first = 0;
  if (r->inquiry->form == OMEN_ASK_STEPS)
    first = steps_in_place (asker, &r->inquiry->steps[group], events, count);
  for (uint32_t i = first; i < count; i++) {
    uint32_t at = omen_model_position (asker->model, events[i]);
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  if (asker->model->event_count <= size)
    return 0;
  index = low / stride;
  return high < (uint64_t)index * stride + size ? index : OMEN_NONE;
}

static void
keep_pending (worker *w, const omen_eid *events, uint32_t count)
{
  const omen_asker *asker = w->round->asker;
  uint32_t window = window_of (w->round, w->group, asker->window,
                               asker->stride, events, count);
  tuple t = { .group = w->group, .rank = w->rank, .count = count,
              .window = window, .instances = 1 };
  if (window == OMEN_NONE) {
    w->round->undecided[w->group] |= WINDOW;
    return;
  }
  memcpy (t.events, events, count * sizeof *events);
  OMEN_VEC_PUSH (w->pending, t);
}

/* In the trace, or in a run that ends with an access of each thread, these are
   crossed. */
static omen_verdict
quick_cross (worker *w, const omen_eid *e)
{
  const omen_quick *quick = w->round->asker->quick;
  const omen_model *m = w->round->asker->model;
  omen_eid taken[] = { e[1] < e[2] && !OMEN_BUG (207) ? e[2] : e[1], e[3] };
  bool first = omen_model_position (m, e[0]) < omen_model_position (m, e[1]);
  if (omen_quick_must_before (quick, e[1], e[0])
      || omen_quick_must_before (quick, e[3], e[2]))
    return OMEN_ABSENT;
  if (first && omen_model_position (m, e[2]) < omen_model_position (m, e[3])) {
    omen_quick_taken (quick, taken, 2, w->cut);
    return OMEN_FOUND;
  }
  if (e[1] < e[2] && !first)
    return OMEN_UNKNOWN;
  return omen_quick_next (quick, taken, 2, w->cut) == OMEN_FOUND
             ? OMEN_FOUND
             : OMEN_UNKNOWN;
}

/* ---- steps ---- */

/* The last write of the atom in the cut, in the order of the trace. */
static omen_eid
last_write (const omen_model *m, const uint32_t *cut, uint32_t atom)
{
  omen_eid last = OMEN_NONE;
  for (uint32_t c = m->atoms[atom].first_cell; c < m->atoms[atom + 1].first_cell;
       c++) {
    const omen_cell *cell = &m->cells[c];
    uint32_t low = cell->first_write, high = cell->first_read;
    omen_eid write;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (m->trace->index[m->members[middle]] < cut[cell->thread])
        low = middle + 1;
      else
        high = middle;
    }
    if (low == cell->first_write)
      continue;
    write = m->members[low - 1];
    if (last == OMEN_NONE
        || omen_model_position (m, write) > omen_model_position (m, last))
      last = write;
  }
  return last;
}

/* After the cut, and `before` if that is an event: does e see the writes that it
   saw? */
static bool
sees_the_same (const omen_model *m, const uint32_t *cut, omen_eid before,
               omen_eid e)
{
  omen_span atoms, other = { 0 };
  if (!omen_kind_reads (omen_model_event (m, e)->kind))
    return true;
  atoms = omen_model_atoms (m, e);
  if (before != OMEN_NONE
      && omen_kind_writes (omen_model_event (m, before)->kind))
    other = omen_model_atoms (m, before);
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
    omen_eid write = a - other.first < other.count ? before
                                                   : last_write (m, cut, a);
    if (!omen_model_same_write (m, e, write, a))
      return false;
  }
  return true;
}

/* Is event i to come right after the one before? */
static bool
is_glued (const omen_model *m, const omen_ask_steps *steps,
          const omen_eid *events, uint32_t i)
{
  return steps->glued >> i & 1
         && omen_model_event (m, events[i - 1])->kind != OMEN_EMIT
         && omen_model_event (m, events[i])->kind != OMEN_EMIT;
}

/* Just two that are to come at once. */
static omen_verdict
quick_pair (worker *w, const omen_eid *e)
{
  const omen_model *m = w->round->asker->model;
  omen_verdict verdict
      = omen_quick_next (w->round->asker->quick, e, 2, w->cut);
  if (verdict == OMEN_FOUND
      && !(sees_the_same (m, w->cut, OMEN_NONE, e[0])
           && sees_the_same (m, w->cut, e[0], e[1])))
    return OMEN_UNKNOWN;
  return verdict;
}

static omen_verdict
quick_steps (worker *w, const omen_eid *e, uint32_t count)
{
  const omen_ask_steps *steps = &w->round->inquiry->steps[w->group];
  const omen_quick *quick = w->round->asker->quick;
  const omen_model *m = w->round->asker->model;
  uint32_t part = 0;
  for (uint32_t i = 0; i < count; i++) {
    part = steps->first >> i & 1 ? i : part;
    for (uint32_t k = part; k < i; k++)
      if (omen_quick_must_before (quick, e[i], e[k]))
        return OMEN_ABSENT;
    if (is_glued (m, steps, e, i)
        && omen_quick_next (quick, e + i - 1, 2, w->cut) == OMEN_ABSENT)
      return OMEN_ABSENT;
  }
  return count == 2 && is_glued (m, steps, e, 1) ? quick_pair (w, e)
                                                 : OMEN_UNKNOWN;
}

static omen_verdict
quick_answer (worker *w, const omen_eid *events, uint32_t count)
{
  const omen_asker *asker = w->round->asker;
  if (asker->options->engine.z3_only)
    return OMEN_UNKNOWN;
  switch (w->round->inquiry->form) {
  case OMEN_ASK_NEXT:
    return omen_quick_next (asker->quick, events, count, w->cut);
  case OMEN_ASK_CROSS:
    return quick_cross (w, events);
  case OMEN_ASK_STEPS:
    return quick_steps (w, events, count);
  default:
    return OMEN_UNKNOWN;
  }
}

#define MORE_INSTANCES 256u

/* The group has its answer: see how many of the next instances hold as well. */
static bool
count_instance (worker *w, const omen_eid *events, uint32_t count)
{
  if (w->more++ == MORE_INSTANCES)
    return false;
  if (quick_answer (w, events, count) == OMEN_FOUND)
    OMEN_VEC_LAST (w->found).instances++;
  return true;
}

/* Order questions cost a walk over the window each; of steps, only those count
   that have no quick answer. */
static uint64_t
most_asks (const round *r)
{
  const omen_predict_options *options = r->asker->options;
  if (!options->asks)
    return UINT64_MAX;
  return r->inquiry->form == OMEN_ASK_ORDER   ? options->asks / 256 + 1
         : r->inquiry->form == OMEN_ASK_STEPS ? options->asks / 16 + 1
                                              : options->asks;
}

static bool
ask_quick (void *context, const omen_eid *events, uint32_t count)
{
  worker *w = context;
  omen_verdict verdict;
  OMEN_REQUIRE (count <= OMEN_TUPLE_MAX);
  if (w->round->found[w->group] && !w->round->inquiry->all)
    return count_instance (w, events, count);
  if (w->asks >= most_asks (w->round)) {
    w->round->undecided[w->group] |= BUDGET;
    return false;
  }
  verdict = quick_answer (w, events, count);
  w->stats.quick_asked += w->round->inquiry->form != OMEN_ASK_ORDER;
  w->stats.quick_found += verdict == OMEN_FOUND;
  w->stats.quick_absent += verdict == OMEN_ABSENT;
  if (verdict == OMEN_FOUND)
    keep_found (w, events, count);
  else if (verdict == OMEN_UNKNOWN)
    keep_pending (w, events, count);
  w->rank++;
  w->asks += w->round->inquiry->form != OMEN_ASK_STEPS
             || verdict == OMEN_UNKNOWN;
  return true;
}

/* A group that is found needs no engine, unless every instance counts. */
static void
forget_pending (worker *w, size_t before)
{
  if (w->round->found[w->group] && !w->round->inquiry->all)
    w->pending.count = before;
}

static void *
work_quick (void *arg)
{
  worker *w = arg;
  const omen_inquiry *inquiry = w->round->inquiry;
  double start = omen_now ();
  for (;;) {
    uint32_t group = atomic_fetch_add (&w->round->next, 1);
    size_t before = w->pending.count;
    if (group >= inquiry->groups)
      break;
    if (out_of_time (w->round->asker)) {
      w->round->undecided[group] |= BUDGET;
      continue;
    }
    w->group = group;
    w->rank = 0;
    w->asks = 0;
    w->more = 0;
    inquiry->enumerate (inquiry->candidates, group, ask_quick, w);
    forget_pending (w, before);
  }
  w->stats.quick_seconds += omen_now () - start;
  return NULL;
}

/* ---- round 2: the engine ---- */

/* What is before the window has happened, in its place. */
static omen_question
steps_question (worker *w, const tuple *t)
{
  const omen_ask_steps *steps = &w->round->inquiry->steps[t->group];
  const omen_asker *asker = w->round->asker;
  OMEN_VEC_CLEAR (w->take);
  OMEN_VEC_CLEAR (w->order);
  OMEN_VEC_CLEAR (w->together);
  for (uint32_t i = 0; i < t->count; i++) {
    omen_eid before = i ? t->events[i - 1] : OMEN_NONE, e = t->events[i];
    uint32_t from = w->round->view->from;
    if (omen_model_position (asker->model, e) < from)
      continue;
    OMEN_VEC_PUSH (w->take, e);
    if (steps->first >> i & 1
        || omen_model_position (asker->model, before) < from)
      continue;
    OMEN_VEC_PUSH (w->order, before);
    OMEN_VEC_PUSH (w->order, e);
    if (!is_glued (asker->model, steps, t->events, i))
      continue;
    OMEN_VEC_PUSH (w->together, before);
    OMEN_VEC_PUSH (w->together, e);
  }
  return (omen_question){ .take = w->take.data,
                          .takes = (uint32_t)w->take.count,
                          .keeps = true,
                          .order = w->order.data,
                          .orders = (uint32_t)w->order.count / 2,
                          .together = w->together.data,
                          .togethers = (uint32_t)w->together.count / 2 };
}

static omen_question
question_of (worker *w, const tuple *t)
{
  omen_question q = { 0 };
  switch (w->round->inquiry->form) {
  case OMEN_ASK_STEPS:
    return steps_question (w, t);
  case OMEN_ASK_NEXT:
    q.next = t->events;
    q.nexts = t->count;
    break;
  case OMEN_ASK_ORDER:
    q.has_avoid = true;
    q.avoid[0] = t->events[0];
    q.avoid[1] = t->events[1];
    q.take = q.order = t->events;
    q.takes = 2;
    q.orders = 1;
    break;
  case OMEN_ASK_CROSS:
    q.take = q.order = t->events;
    q.takes = 4;
    q.orders = 2;
    break;
  }
  return q;
}

static void
ask_engine (worker *w, omen_engine *engine, tuple *t)
{
  omen_question q = question_of (w, t);
  omen_engine_answer answer;
  switch (omen_engine_ask (engine, &q, &answer)) {
  case OMEN_FOUND:
    t->sequence = answer.events;
    t->decided = true;
    OMEN_VEC_PUSH (w->found, *t);
    w->round->found[t->group] = 1;
    return;
  case OMEN_UNKNOWN:
    if (w->round->last)
      w->round->undecided[t->group] |= answer.beyond ? WINDOW : BUDGET;
    break;
  case OMEN_ABSENT:
    t->decided = true;
    break;
  }
  OMEN_VEC_FINI (answer.events);
}

static void *
work_engine (void *arg)
{
  worker *w = arg;
  round *r = w->round;
  omen_engine *engine
      = omen_engine_new (r->view, &r->asker->options->engine);
  for (;;) {
    uint32_t i = atomic_fetch_add (&r->next, 1);
    if (i >= r->start_count)
      break;
    for (size_t j = r->starts[i]; j < r->starts[i + 1]; j++) {
      tuple *t = &r->pending[j];
      if (r->found[t->group] && !r->inquiry->all)
        break;
      if (!out_of_time (r->asker))
        ask_engine (w, engine, t);
      else if (r->last)
        r->undecided[t->group] |= BUDGET;
    }
  }
  omen_engine_stats_add (&w->stats.engine, omen_engine_counts (engine));
  omen_engine_free (engine);
  return NULL;
}

/* ---- rounds ---- */

static void
run_workers (worker *workers, unsigned jobs, round *r, void *(*work) (void *))
{
  unsigned started = 1;
  atomic_store (&r->next, 0);
  for (; started < jobs; started++)
    if (pthread_create (&workers[started].thread, NULL, work,
                        &workers[started]))
      break;
  work (&workers[0]);
  while (--started > 0)
    pthread_join (workers[started].thread, NULL);
}

static int
by_window (const void *a, const void *b)
{
  const tuple *x = a, *y = b;
  if (x->window != y->window)
    return x->window < y->window ? -1 : 1;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int
by_group (const void *a, const void *b)
{
  const tuple *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void
gather (worker *workers, unsigned jobs, bool pending, tuples *all)
{
  for (unsigned i = 0; i < jobs; i++) {
    tuples *from = pending ? (tuples *)&workers[i].pending
                           : (tuples *)&workers[i].found;
    for (size_t j = 0; j < from->count; j++)
      OMEN_VEC_PUSH (*all, from->data[j]);
    OMEN_VEC_FINI (*from);
  }
}

/* Where the groups in pending[0 … count) begin. */
static void
find_starts (round *r)
{
  r->starts = omen_alloc ((r->pending_count + 1) * sizeof *r->starts);
  r->start_count = 0;
  for (size_t i = 0; i < r->pending_count; i++)
    if (!i || r->pending[i].group != r->pending[i - 1].group)
      r->starts[r->start_count++] = i;
  r->starts[r->start_count] = r->pending_count;
}

static void
ask_window (worker *workers, unsigned jobs, round *r, tuple *first,
            size_t count)
{
  const omen_asker *asker = r->asker;
  uint32_t all = asker->model->event_count;
  bool whole = all <= r->window;
  uint64_t from = whole ? 0 : (uint64_t)first->window * r->stride;
  uint64_t to = whole ? all : from + r->window;
  omen_ids asked = { 0 };
  omen_window *view;
  for (size_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < first[i].count; j++)
      OMEN_VEC_PUSH (asked, first[i].events[j]);
  view = omen_window_new_asked (
      asker->model, omen_predict_preserve (asker->options), (uint32_t)from,
      (uint32_t)(to < all ? to : all), asked.data, asked.count);
  OMEN_VEC_FINI (asked);
  r->view = view;
  r->pending = first;
  r->pending_count = count;
  find_starts (r);
  run_workers (workers, jobs < r->start_count ? jobs
                                              : (unsigned)r->start_count,
               r, work_engine);
  omen_free (r->starts);
  omen_window_free (view);
}

/* All that are pending, in windows of one size; those whose events lie too far
   apart for it are left. */
static void
ask_by_size (worker *workers, unsigned jobs, round *r, tuples *pending,
             uint32_t size)
{
  size_t first = 0, end;
  r->window = size;
  r->stride = size > 1 ? size / 2 : 1;
  for (size_t i = 0; i < pending->count; i++) {
    tuple *t = &pending->data[i];
    t->window
        = window_of (r, t->group, size, r->stride, t->events, t->count);
  }
  if (pending->count)
    qsort (pending->data, pending->count, sizeof *pending->data, by_window);
  for (; first < pending->count && pending->data[first].window != OMEN_NONE;
       first = end) {
    for (end = first + 1; end < pending->count
                          && pending->data[end].window
                                 == pending->data[first].window;)
      end++;
    ask_window (workers, jobs, r, &pending->data[first], end - first);
    if (r->asker->sink->progress)
      r->asker->sink->progress (r->asker->sink->context, r->inquiry->what,
                                end, pending->count);
  }
}

static void
drop_decided (const round *r, tuples *pending)
{
  size_t kept = 0;
  for (size_t i = 0; i < pending->count; i++) {
    const tuple *t = &pending->data[i];
    if (!t->decided && (r->inquiry->all || !r->found[t->group]))
      pending->data[kept++] = *t;
  }
  pending->count = kept;
}

/* What is crossed is mostly crossed by neighbours, and a question costs as much
   as its window is long: first in small windows, as many as can be made (each
   costs a walk over what is before it). 0: not at all. */
static uint32_t
small_window (const round *r)
{
  uint32_t all = r->asker->model->event_count;
  uint32_t least = OMEN_HARD_OR (6u, 512u);
  uint32_t size = all / 256 > least ? all / 256 : least;
  if ((r->inquiry->form != OMEN_ASK_CROSS
       && r->inquiry->form != OMEN_ASK_STEPS)
      || all <= size
      || size > r->asker->window / 2)
    return 0;
  return size;
}

static void
ask_windows (worker *workers, unsigned jobs, round *r)
{
  tuples pending = { 0 };
  uint32_t small = small_window (r);
  gather (workers, jobs, true, &pending);
  r->last = false;
  for (; small && small <= r->asker->window / 2;
       small = r->inquiry->form == OMEN_ASK_STEPS ? 8 * small : 0) {
    ask_by_size (workers, jobs, r, &pending, small);
    drop_decided (r, &pending);
  }
  r->last = true;
  ask_by_size (workers, jobs, r, &pending, r->asker->window);
  OMEN_VEC_FINI (pending);
}

/* Crossed events that the cut has not are next, the window's last. */
static void
make_sequence (const round *r, tuple *t)
{
  const omen_model *m = r->asker->model;
  omen_quick_sequence (r->asker->quick, t->cut, &t->sequence);
  for (uint32_t i = 0; r->inquiry->form == OMEN_ASK_STEPS && i < t->count; i++)
    OMEN_VEC_PUSH (t->sequence, t->events[i]);
  for (uint32_t i = 1; r->inquiry->form == OMEN_ASK_CROSS && i < 4; i++)
    if (m->trace->index[t->events[i]]
            >= t->cut[omen_model_thread (m, t->events[i])]
        && !(i == 2 && t->events[1] == t->events[2]))
      OMEN_VEC_PUSH (t->sequence, t->events[i]);
}

/* Hand over what was found, in order of the groups; free it all. */
static bool
hand_over (round *r, tuples *found)
{
  bool go_on = true;
  if (found->count)
    qsort (found->data, found->count, sizeof *found->data, by_group);
  for (size_t i = 0; i < found->count; i++) {
    tuple *t = &found->data[i];
    bool again = i && !r->inquiry->all
                 && found->data[i - 1].group == t->group;
    if (go_on && !again) {
      if (t->cut)
        make_sequence (r, t);
      go_on = r->inquiry->answered (r->inquiry->context, t->group, t->events,
                                    t->count, t->instances, &t->sequence);
    }
    omen_free (t->cut);
    OMEN_VEC_FINI (t->sequence);
  }
  OMEN_VEC_FINI (*found);
  return go_on;
}

static void
tell_fates (const round *r)
{
  for (uint32_t g = 0; g < r->inquiry->groups; g++)
    r->inquiry->fates[g] = r->found[g]                 ? OMEN_ASK_FOUND
                           : r->undecided[g] == WINDOW ? OMEN_ASK_BEYOND
                           : r->undecided[g]           ? OMEN_ASK_UNDECIDED
                                                       : OMEN_ASK_REFUTED;
}

static void
add_stats (omen_predict_stats *sum, const round *r, const worker *workers,
           unsigned jobs)
{
  for (unsigned i = 0; i < jobs; i++) {
    const omen_predict_stats *s = &workers[i].stats;
    sum->quick_asked += s->quick_asked;
    sum->quick_found += s->quick_found;
    sum->quick_absent += s->quick_absent;
    sum->quick_seconds += s->quick_seconds;
    omen_engine_stats_add (&sum->engine, &s->engine);
  }
  if (r->inquiry->fates) {
    tell_fates (r);
    return;
  }
  if (r->inquiry->form != OMEN_ASK_ORDER) /* the same groups again */
    sum->candidates += r->inquiry->groups;
  for (uint32_t g = 0; g < r->inquiry->groups; g++) {
    sum->undecided += r->undecided[g] && !r->found[g];
    sum->beyond += r->undecided[g] == WINDOW && !r->found[g];
  }
}

bool
omen_asker_run (omen_asker *asker, const omen_inquiry *inquiry,
                omen_predict_stats *stats)
{
  unsigned jobs = asker->options->jobs ? asker->options->jobs : 1;
  worker *workers = omen_zalloc (jobs, sizeof *workers);
  round r = { .asker = asker, .inquiry = inquiry };
  tuples found = { 0 };
  bool go_on;
  r.found = omen_zalloc (inquiry->groups, 1);
  r.undecided = omen_zalloc (inquiry->groups, 1);
  for (unsigned i = 0; i < jobs; i++) {
    workers[i].round = &r;
    workers[i].cut
        = omen_alloc (asker->model->thread_count * sizeof (uint32_t));
  }
  run_workers (workers, jobs, &r, work_quick);
  ask_windows (workers, jobs, &r);
  add_stats (stats, &r, workers, jobs);
  gather (workers, jobs, false, &found);
  go_on = hand_over (&r, &found);
  for (unsigned i = 0; i < jobs; i++) {
    omen_free (workers[i].cut);
    OMEN_VEC_FINI (workers[i].take);
    OMEN_VEC_FINI (workers[i].order);
    OMEN_VEC_FINI (workers[i].together);
  }
  omen_free (workers);
  omen_free (r.found);
  omen_free (r.undecided);
  return go_on;
}
