/* Final values that depend on the schedule: writes that can be the last one of
   their variable when all threads have ended, instead of the last one in the
   trace. These are the implicit reads at the end of the program of the
   nondeterminism paper, section III. */
#include "base/now.h"
#include "model/quick.h"
#include "predict/predict.h"

#include <stdlib.h>

/* Write c may come last in this atom; writer is the last one in the trace. */
typedef struct candidate {
  omen_eid c, writer;
  uint32_t atom;
} candidate;

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_predict_stats *stats;
  omen_quick *quick;
  omen_window *window;
  omen_engine *engine;
  omen_deadline deadline;
  OMEN_VEC (candidate) candidates;
  omen_ids orders; /* of the current question */
} hunt;

/* ---- candidates ---- */

static omen_eid
last_write (const omen_model *m, const omen_cell *cell)
{
  return cell->first_write < cell->first_read ? m->members[cell->first_read - 1]
                                              : OMEN_NONE;
}

/* The last write of the atom in the trace, or OMEN_NONE. */
static omen_eid
last_of_all (const omen_model *m, uint32_t atom)
{
  for (uint32_t i = m->atoms[atom + 1].first; i-- > m->atoms[atom].first;)
    if (omen_kind_writes (omen_model_event (m, m->accesses[i])->kind))
      return m->accesses[i];
  return OMEN_NONE;
}

static bool
is_news (const hunt *h, omen_eid c, omen_eid w, uint32_t atom)
{
  const omen_model *m = h->model;
  uint32_t x = omen_model_written (m, c, atom);
  uint32_t y = omen_model_written (m, w, atom);
  return h->options->model == OMEN_MODEL_RF || !omen_value_comparable (x, y)
         || x != y;
}

/* Must another thread's last write of the atom come after c? */
static bool
is_overwritten (const hunt *h, omen_eid c, uint32_t atom)
{
  const omen_model *m = h->model;
  omen_tid t = omen_model_thread (m, c);
  for (uint32_t i = m->atoms[atom].first_cell;
       i < m->atoms[atom + 1].first_cell; i++) {
    omen_eid x = last_write (m, &m->cells[i]);
    if (m->cells[i].thread != t && x != OMEN_NONE
        && omen_quick_must (h->quick, x)[t] > m->trace->index[c])
      return true;
  }
  return false;
}

static void
find_candidates (hunt *h)
{
  const omen_model *m = h->model;
  for (uint32_t a = 0; a < m->atom_count; a++) {
    omen_eid w = last_of_all (m, a);
    for (uint32_t i = m->atoms[a].first_cell;
         w != OMEN_NONE && i < m->atoms[a + 1].first_cell; i++) {
      omen_eid c = last_write (m, &m->cells[i]);
      if (c == OMEN_NONE || c == w || !is_news (h, c, w, a))
        continue;
      h->stats->quick_asked++;
      if (is_overwritten (h, c, a))
        h->stats->quick_absent++;
      else
        OMEN_VEC_PUSH (h->candidates, ((candidate){ c, w, a }));
    }
  }
}

static int
by_write (const void *a, const void *b)
{
  const candidate *x = a, *y = b;
  if (x->c != y->c)
    return x->c < y->c ? -1 : 1;
  return x->atom < y->atom ? -1 : x->atom > y->atom;
}

/* ---- the question ---- */

/* Can all events occur with c after the other threads' last writes of the
   atom? */
static omen_verdict
ask_engine (hunt *h, const candidate *k, omen_engine_answer *answer)
{
  const omen_model *m = h->model;
  omen_question q = { .whole = true };
  OMEN_ASSERT (k->c != k->writer && k->atom < m->atom_count);
  OMEN_VEC_CLEAR (h->orders);
  for (uint32_t i = m->atoms[k->atom].first_cell;
       i < m->atoms[k->atom + 1].first_cell; i++) {
    omen_eid x = last_write (m, &m->cells[i]);
    if (x == OMEN_NONE || x == k->c
        || omen_model_position (m, x) < h->window->from)
      continue;
    OMEN_VEC_PUSH (h->orders, x);
    OMEN_VEC_PUSH (h->orders, k->c);
  }
  q.order = h->orders.data;
  q.orders = (uint32_t)h->orders.count / 2;
  return omen_engine_ask (h->engine, &q, answer);
}

/* Ask about each atom of one write, until one is FOUND. */
static bool
ask_write (hunt *h, size_t first, size_t end)
{
  bool undecided = false, beyond = true;
  OMEN_ASSERT (first < end && end <= h->candidates.count);
  h->stats->candidates++;
  for (size_t i = first; i < end; i++) {
    omen_engine_answer answer = { 0 };
    omen_verdict verdict
        = omen_is_past (&h->deadline)
              ? OMEN_UNKNOWN
              : ask_engine (h, &h->candidates.data[i], &answer);
    if (verdict == OMEN_FOUND) {
      omen_finding finding;
      omen_predict_finding (h->model, h->options, OMEN_FINDING_NONDET,
                            OMEN_CLAIM_FINAL, &h->candidates.data[i].c, 1,
                            &answer.events, &finding);
      OMEN_ASSERT (h->candidates.data[i].c != h->candidates.data[i].writer);
      finding.writer = h->candidates.data[i].writer;
      return h->sink->found (h->sink->context, &finding);
    }
    undecided |= verdict == OMEN_UNKNOWN;
    beyond &= verdict != OMEN_UNKNOWN || answer.beyond;
  }
  h->stats->undecided += undecided;
  h->stats->beyond += undecided && beyond;
  return true;
}

static bool
ask_all (hunt *h)
{
  bool go_on = true;
  size_t end;
  for (size_t i = 0; go_on && i < h->candidates.count; i = end) {
    for (end = i + 1; end < h->candidates.count
                      && h->candidates.data[end].c == h->candidates.data[i].c;)
      end++;
    go_on = ask_write (h, i, end);
    if (h->sink->progress)
      h->sink->progress (h->sink->context, "final values", end,
                         h->candidates.count);
  }
  return go_on;
}

bool
omen_predict_final (const omen_model *model,
                    const omen_predict_options *options, const omen_sink *sink,
                    omen_predict_stats *stats)
{
  omen_preserve how = omen_predict_preserve (options);
  bool go_on;
  uint32_t size = omen_predict_window (options);
  uint32_t all = model->event_count;
  hunt h = { .model = model, .options = options, .sink = sink, .stats = stats };
  if (omen_predict_stopped (options))
    return false;
  h.deadline = omen_predict_deadline (options, options->timeout);
  h.quick = omen_quick_new (model, how);
  find_candidates (&h);
  OMEN_VEC_SORT (h.candidates, by_write);
  h.window = omen_window_new (model, how, all > size ? all - size : 0, all);
  h.engine = omen_engine_new (h.window, &options->engine);
  go_on = ask_all (&h);
  omen_engine_stats_add (&stats->engine, omen_engine_counts (h.engine));
  omen_engine_free (h.engine);
  omen_window_free (h.window);
  omen_quick_free (h.quick);
  OMEN_VEC_FINI (h.candidates);
  OMEN_VEC_FINI (h.orders);
  return go_on;
}
