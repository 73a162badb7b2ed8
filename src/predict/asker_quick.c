#include "predict/asker_round.h"
#include "base/crew.h"
#include "base/now.h"

#include <string.h>

/* ---- one instance ---- */

/* Do must-happen-before orders rule out every crossing of this tuple? */
static bool
is_closed (const omen_quick *quick, const omen_eid *e)
{
  if (omen_quick_must_before (quick, e[1], e[0])
      || omen_quick_must_before (quick, e[3], e[2]))
    return true;
  return e[2] < e[1] && omen_quick_must_before (quick, e[2], e[0])
         && omen_quick_must_before (quick, e[3], e[1]);
}

static bool
is_crossed (const omen_model *m, const omen_eid *e)
{
  uint32_t at[4];
  for (int i = 0; i < 4; i++)
    at[i] = omen_model_position (m, e[i]);
  return at[0] < at[1] && at[2] < at[3] && (at[1] < at[3] || at[0] < at[2]);
}

/* FOUND if the tuple is crossed in the trace, or after a cut in front of one
   access of each thread, which then follow. */
static omen_verdict
quick_cross (omen_ask_worker *w, const omen_eid *e)
{
  const omen_quick *quick = w->round->asker->quick;
  const omen_model *m = w->round->asker->model;
  omen_eid taken[] = { e[1] < e[2] ? e[2] : e[1], e[3] };
  OMEN_ASSERT (omen_model_thread (m, e[0]) == omen_model_thread (m, e[3])
               && omen_model_thread (m, e[1]) == omen_model_thread (m, e[2])
               && omen_model_thread (m, e[0]) != omen_model_thread (m, e[1]));
  if (is_closed (quick, e))
    return OMEN_ABSENT;
  if (is_crossed (m, e)) {
    omen_quick_taken (quick, taken, 2, w->cut);
    return OMEN_FOUND;
  }
  /* e1' is in the cut, so its position relative to e1 matters */
  if (e[1] < e[2]
      && omen_model_position (m, e[0]) > omen_model_position (m, e[1]))
    return OMEN_UNKNOWN;
  return omen_quick_next (quick, taken, 2, w->cut) == OMEN_FOUND ? OMEN_FOUND
                                                                 : OMEN_UNKNOWN;
}

static omen_verdict
answer_form (omen_ask_worker *w, const omen_eid *events, uint32_t count)
{
  const omen_asker *asker = w->round->asker;
  switch (w->round->inquiry->form) {
  case OMEN_ASK_NEXT:
    return omen_quick_next (asker->quick, events, count, w->cut);
  case OMEN_ASK_AFTER:
    return omen_quick_after (asker->quick, events[0], events[1], w->cut);
  case OMEN_ASK_READS_FROM:
    return omen_reads_from_quick (w, events, count);
  case OMEN_ASK_CROSS:
    return quick_cross (w, events);
  case OMEN_ASK_STEPS:
    return omen_steps_quick (w, events, count);
  default:
    return OMEN_UNKNOWN;
  }
}

static omen_verdict
quick_answer (omen_ask_worker *w, const omen_eid *events, uint32_t count)
{
  omen_verdict verdict;
  if (w->round->asker->options->engine.z3_only)
    return OMEN_UNKNOWN;
  verdict = answer_form (w, events, count);
  return verdict == OMEN_FOUND && omen_ask_swaps (w->round, events, count)
             ? OMEN_UNKNOWN
             : verdict;
}

/* ---- one group ---- */

static void
keep_found (omen_ask_worker *w, const omen_eid *events, uint32_t count,
            bool spare)
{
  uint32_t threads = w->round->asker->model->thread_count;
  omen_ask_tuple t = { .group = w->group,
                       .rank = w->rank + w->more,
                       .count = count,
                       .instances = 1,
                       .spare = spare };
  OMEN_ASSERT (w->round->inquiry->all || spare == w->round->found[w->group]);
  memcpy (t.events, events, count * sizeof *events);
  t.cut = omen_alloc (threads * sizeof *t.cut);
  memcpy (t.cut, w->cut, threads * sizeof *t.cut);
  if (!spare)
    w->answer = w->found.count;
  OMEN_VEC_PUSH (w->found, t);
  w->round->found[w->group] = 1;
}

static void
keep_pending (omen_ask_worker *w, const omen_eid *events, uint32_t count)
{
  const omen_asker *asker = w->round->asker;
  omen_windows windows = omen_windows_of (asker->model, asker->window);
  uint32_t window
      = omen_ask_window_of (w->round, &windows, w->group, events, count);
  omen_ask_tuple t = { .group = w->group,
                       .rank = w->rank,
                       .count = count,
                       .window = window,
                       .instances = 1 };
  if (window == OMEN_NONE) {
    w->round->undecided[w->group] |= OMEN_ASK_WINDOW;
    return;
  }
  memcpy (t.events, events, count * sizeof *events);
  OMEN_VEC_PUSH (w->pending, t);
}

#define MORE_INSTANCES 256u

/* Is the n-th further tuple reported, too? A near one and some farther ones. */
static bool
is_spare (const omen_ask_worker *w, uint32_t n)
{
  return w->round->inquiry->spare && (n == 1 || n == 8 || n == 64);
}

/* The group has its answer; count how many of the following tuples hold as
   well. */
static bool
count_instance (omen_ask_worker *w, const omen_eid *events, uint32_t count)
{
  OMEN_ASSERT (w->answer < w->found.count
               && w->found.data[w->answer].group == w->group);
  if (w->more++ == MORE_INSTANCES)
    return false;
  if (quick_answer (w, events, count) == OMEN_FOUND
      && is_spare (w, w->found.data[w->answer].instances++))
    keep_found (w, events, count, true);
  return true;
}

/* A smaller budget for expensive questions: order questions walk over the
   whole window each, and of steps only those without a quick answer count. */
static uint64_t
most_asks (const omen_ask_round *r)
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
  omen_ask_worker *w = context;
  omen_verdict verdict;
  OMEN_REQUIRE (count > 0 && count <= OMEN_TUPLE_MAX);
  if (w->round->found[w->group] && !w->round->inquiry->all)
    return count_instance (w, events, count);
  if (w->asks >= most_asks (w->round)) {
    w->round->undecided[w->group] |= OMEN_ASK_BUDGET;
    return false;
  }
  verdict = quick_answer (w, events, count);
  w->stats.quick_asked += w->round->inquiry->form != OMEN_ASK_ORDER;
  w->stats.quick_found += verdict == OMEN_FOUND;
  w->stats.quick_absent += verdict == OMEN_ABSENT;
  if (verdict == OMEN_FOUND)
    keep_found (w, events, count, false);
  else if (verdict == OMEN_UNKNOWN)
    keep_pending (w, events, count);
  w->rank++;
  w->asks
      += w->round->inquiry->form != OMEN_ASK_STEPS || verdict == OMEN_UNKNOWN;
  return true;
}

/* Drop the group's pending tuples if it has an answer, unless every tuple is
   to be reported. */
static void
forget_pending (omen_ask_worker *w, size_t before)
{
  OMEN_ASSERT (before <= w->pending.count);
  if (w->round->found[w->group] && !w->round->inquiry->all)
    w->pending.count = before;
}

static void *
work_quick (void *arg)
{
  omen_ask_worker *w = arg;
  const omen_inquiry *inquiry = w->round->inquiry;
  double start = omen_now ();
  for (;;) {
    uint32_t group = atomic_fetch_add (&w->round->next, 1);
    size_t before = w->pending.count;
    if (group >= w->round->end)
      break;
    if (omen_is_past (&w->round->asker->deadline)) {
      w->round->undecided[group] |= OMEN_ASK_BUDGET;
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

static void
ask_some (omen_ask_round *r)
{
  omen_crew_run (r->workers, sizeof *r->workers, r->jobs, work_quick);
}

void
omen_ask_quickly (omen_ask_round *r)
{
  omen_ask_pieces (r, r->inquiry->groups, ask_some);
}
