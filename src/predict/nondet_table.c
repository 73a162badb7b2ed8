#include "predict/nondet_table.h"
#include "base/now.h"
#include "predict/decider.h"
#include "predict/windows.h"

/* By default a trace of up to this many events is one window. */
#define WHOLE_MOST 131072u

typedef struct row {
  const omen_model *model;
  const omen_predict_options *options;
  omen_decider *decider;
  omen_window *window;
  omen_windows windows;
  bool choices;
  double extra; /* seconds spent on counting choices */
  omen_nondet_table *table;
} row;

/* ---- windows ---- */

static void
view (row *r, uint32_t from, uint32_t to)
{
  if (r->window && r->window->from == from && r->window->to == to)
    return;
  omen_decider_aim (r->decider, NULL);
  omen_window_free (r->window);
  r->window = omen_window_new (r->model, omen_predict_preserve (r->options),
                               from, to);
  omen_decider_aim (r->decider, r->window);
}

/* Set the window that contains the three events, if there is one. */
static void
view_around (row *r, const omen_triple *q)
{
  omen_position_span x = OMEN_SPAN_OF_NONE;
  omen_range range;
  omen_extent_widen (&x, r->model, q->read);
  omen_extent_widen (&x, r->model, q->rival);
  if (q->writer != OMEN_NONE)
    omen_extent_widen (&x, r->model, q->writer);
  range = omen_windows_range (&r->windows, x.low / r->windows.stride);
  view (r, range.from, range.to);
}

/* ---- one witness ---- */

static uint32_t
count_choices (row *r, const omen_rival *rival, omen_rf_order order)
{
  double start = omen_now ();
  uint32_t count = omen_decider_choices (r->decider, rival, order);
  r->extra += omen_now () - start;
  return count == OMEN_NONE ? 0 : count;
}

static double
two_to_the (uint32_t choices)
{
  double graphs = 1;
  for (uint32_t i = 0; i < choices && i < 1000; i++)
    graphs *= 2;
  return graphs;
}

static void
add_witness (row *r, const omen_rival *rival, omen_rf_order order)
{
  omen_nondet_table *t = r->table;
  omen_decided decided;
  omen_verdict verdict = omen_decide (r->decider, rival, order, &decided);
  uint32_t choices;
  OMEN_ASSERT (verdict == OMEN_FOUND || !decided.sequence.count);
  OMEN_VEC_FINI (decided.sequence);
  t->possible++;
  t->feasible += verdict == OMEN_FOUND;
  t->infeasible += verdict == OMEN_ABSENT;
  t->undecided += verdict == OMEN_UNKNOWN;
  if (verdict == OMEN_UNKNOWN)
    return;
  if (verdict == OMEN_ABSENT && !decided.decisions) {
    t->refuted++;
    return;
  }
  choices = r->choices ? count_choices (r, rival, order) : 0;
  if (!choices && !decided.decisions) {
    t->direct++;
    return;
  }
  t->chosen++;
  t->graphs += 1 + decided.decisions;
  t->graphs_possible += two_to_the (choices ? choices : 1);
}

static void
add_read (row *r, omen_eid read, omen_rivals *rivals)
{
  OMEN_VEC_CLEAR (*rivals);
  omen_rivals_of (r->model, read, r->options->model != OMEN_MODEL_RF, rivals);
  for (size_t i = 0; i < rivals->count; i++) {
    if (r->model->event_count > r->windows.size)
      view_around (r, &rivals->data[i].triple);
    for (omen_rf_order o = 0; o < OMEN_RF_ORDERS; o++)
      add_witness (r, &rivals->data[i], o);
  }
}

void
omen_nondet_count (const omen_model *model, const omen_predict_options *options,
                   bool choices, omen_nondet_table *table)
{
  row r = {
    .model = model, .options = options, .choices = choices, .table = table
  };
  double start = omen_now ();
  omen_quick *quick = omen_quick_new (model, omen_predict_preserve (options));
  omen_rivals rivals = { 0 };
  bool whole = !options->window && model->event_count <= WHOLE_MOST;
  r.windows = omen_windows_of (model, whole ? model->event_count + 1
                                            : omen_predict_window (options));
  r.decider = omen_decider_new (model, quick, options);
  if (model->event_count <= r.windows.size)
    view (&r, 0, model->event_count);
  for (omen_eid e = 0; e < model->event_count; e++)
    if (omen_kind_reads (omen_model_event (model, e)->kind))
      add_read (&r, e, &rivals);
  OMEN_VEC_FINI (rivals);
  omen_decider_free (r.decider);
  omen_window_free (r.window);
  omen_quick_free (quick);
  OMEN_ASSERT (table->feasible + table->infeasible + table->undecided
               == table->possible);
  OMEN_ASSERT (table->refuted + table->direct + table->chosen + table->undecided
               == table->possible);
  table->seconds += omen_now () - start - r.extra;
}
