#include "predict/asker_round.h"

#include <stdlib.h>

omen_asker *
omen_asker_new (const omen_model *model, const omen_predict_options *options,
                const omen_sink *sink)
{
  omen_asker *asker = omen_zalloc (1, sizeof *asker);
  asker->model = model;
  asker->options = options;
  asker->sink = sink;
  asker->quick = omen_quick_new (model, omen_predict_preserve (options));
  asker->window = omen_predict_window (options);
  asker->deadline = omen_predict_deadline (options, options->timeout);
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

const omen_quick *
omen_asker_quick (const omen_asker *asker)
{
  return asker->options->engine.z3_only ? NULL : asker->quick;
}

/* ---- what was found ---- */

/* The cut ends in front of the claimed steps, and of those crossing events
   that are still next in their threads: append them. */
static void
make_sequence (const omen_ask_round *r, omen_ask_tuple *t)
{
  const omen_model *m = r->asker->model;
  OMEN_ASSERT (t->cut && !t->decided && !t->sequence.count);
  omen_quick_sequence (r->asker->quick, t->cut, &t->sequence);
  for (uint32_t i = 0; r->inquiry->form == OMEN_ASK_STEPS && i < t->count; i++)
    OMEN_VEC_PUSH (t->sequence, t->events[i]);
  for (uint32_t i = 1; r->inquiry->form == OMEN_ASK_CROSS && i < 4; i++)
    if (m->trace->index[t->events[i]]
            >= t->cut[omen_model_thread (m, t->events[i])]
        && !(i == 2 && t->events[1] == t->events[2]))
      OMEN_VEC_PUSH (t->sequence, t->events[i]);
}

int
omen_ask_by_group (const void *a, const void *b)
{
  const omen_ask_tuple *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void
omen_ask_move (omen_ask_tuples *to, omen_ask_tuples *from)
{
  OMEN_REQUIRE (to != from);
  for (size_t i = 0; i < from->count; i++)
    OMEN_VEC_PUSH (*to, from->data[i]);
  OMEN_VEC_FINI (*from);
}

/* Report the found tuples in the order of their groups, and free them. */
static bool
hand_over (omen_ask_round *r)
{
  omen_ask_tuples found = { 0 };
  bool go_on = true;
  for (unsigned i = 0; i < r->jobs; i++)
    omen_ask_move (&found, &r->workers[i].found);
  OMEN_VEC_SORT (found, omen_ask_by_group);
  for (size_t i = 0; i < found.count; i++) {
    omen_ask_tuple *t = &found.data[i];
    bool again = i && !r->inquiry->all && !t->spare
                 && found.data[i - 1].group == t->group;
    OMEN_ASSERT (r->found[t->group]);
    if (go_on && !again) {
      if (t->cut)
        make_sequence (r, t);
      go_on = (t->spare ? r->inquiry->spare : r->inquiry->answered) (
          r->inquiry->context, t->group, t->events, t->count, t->instances,
          &t->sequence);
    }
    omen_free (t->cut);
    OMEN_VEC_FINI (t->sequence);
  }
  OMEN_VEC_FINI (found);
  return go_on;
}

/* ---- what became of groups ---- */

static omen_ask_fate
fate_of (const omen_ask_round *r, uint32_t group)
{
  if (r->found[group])
    return OMEN_ASK_FOUND;
  if (r->undecided[group] == OMEN_ASK_WINDOW)
    return OMEN_ASK_BEYOND;
  return r->undecided[group] ? OMEN_ASK_UNDECIDED : OMEN_ASK_REFUTED;
}

static void
count_groups (const omen_ask_round *r, omen_predict_stats *sum)
{
  if (r->inquiry->form != OMEN_ASK_ORDER) /* the order question asks about the
                                             same groups a second time */
    sum->candidates += r->inquiry->groups;
  for (uint32_t g = 0; g < r->inquiry->groups; g++) {
    omen_ask_fate fate = fate_of (r, g);
    sum->undecided += fate == OMEN_ASK_UNDECIDED || fate == OMEN_ASK_BEYOND;
    sum->beyond += fate == OMEN_ASK_BEYOND;
  }
}

/* ---- rounds ---- */

static void
round_init (omen_ask_round *r, omen_asker *asker, const omen_inquiry *inquiry)
{
  uint32_t threads = asker->model->thread_count;
  *r = (omen_ask_round){ .asker = asker, .inquiry = inquiry };
  r->jobs = asker->options->jobs ? asker->options->jobs : 1;
  r->workers = omen_zalloc (r->jobs, sizeof *r->workers);
  r->found = omen_zalloc (inquiry->groups, 1);
  r->undecided = omen_zalloc (inquiry->groups, 1);
  for (unsigned i = 0; i < r->jobs; i++) {
    r->workers[i].round = r;
    r->workers[i].cut = omen_alloc (threads * sizeof (uint32_t));
  }
}

static void
round_fini (omen_ask_round *r)
{
  for (unsigned i = 0; i < r->jobs; i++) {
    omen_ask_worker *w = &r->workers[i];
    OMEN_ASSERT (!w->found.count && !w->pending.count); /* moved out */
    omen_free (w->cut);
    OMEN_VEC_FINI (w->take);
    OMEN_VEC_FINI (w->kept);
    OMEN_VEC_FINI (w->order);
    OMEN_VEC_FINI (w->together);
  }
  omen_free (r->workers);
  omen_free (r->found);
  omen_free (r->undecided);
}

bool
omen_asker_run (omen_asker *asker, const omen_inquiry *inquiry,
                omen_predict_stats *stats)
{
  omen_ask_round r;
  bool go_on;
  OMEN_REQUIRE (inquiry->enumerate && inquiry->answered);
  OMEN_REQUIRE (inquiry->form != OMEN_ASK_STEPS || inquiry->steps
                || !inquiry->groups);
  round_init (&r, asker, inquiry);
  omen_ask_quickly (&r);
  omen_ask_by_window (&r);
  for (unsigned i = 0; i < r.jobs; i++)
    omen_predict_stats_add (stats, &r.workers[i].stats);
  if (inquiry->fates)
    for (uint32_t g = 0; g < r.inquiry->groups; g++)
      r.inquiry->fates[g] = fate_of (&r, g);
  else
    count_groups (&r, stats);
  go_on = hand_over (&r);
  round_fini (&r);
  return go_on;
}
