/* Verdicts under rf, value and sliced: the words of each binding are tried
   (words.h), first in small windows, where questions are cheap and mostly
   decided, then, for verdicts still missing, in large ones. Patterns are first
   asked about as questions (pattern.c). */
#include "predict/property/binding_index.h"
#include "predict/property/words.h"
#include "predict/windows.h"

#include <stdlib.h>

/* Size of small windows, and their largest number: each costs a walk over the
   events before it. */
#define SMALL OMEN_HARD_OR (6u, 512u)
#define SMALL_COUNT 256u

/* A binding to be searched in a small window, which has some of its events. */
typedef struct visit {
  uint32_t window, theta;
} visit;

typedef struct sweep {
  const omen_property_hunt *hunt;
  omen_quick *quick;
  omen_binding_index index;
  uint32_t *missing; /* by theta: categories not reached yet */
  uint8_t *open;     /* by theta: some window left it undecided */
  omen_ids asked; /* events that some binding sees, in the order of the trace */
  omen_ids seen;  /* scratch: events that a binding sees */
  bool machines;  /* some bindings need the search over cuts */
} sweep;

/* ---- one binding ---- */

/* The events that the binding sees in positions [from, to), and its state after
   those that it sees before. */
static uint32_t
excerpt_of (sweep *w, uint32_t theta, uint32_t from, uint32_t to,
            omen_ids *events)
{
  const omen_property_hunt *h = w->hunt;
  uint32_t state = omen_tracks_start (h->tracks, &h->thetas.data[theta]);
  omen_eid last = OMEN_NONE;
  omen_binding_index_events (&w->index, theta, &w->seen);
  for (size_t i = 0; i < w->seen.count; i++) {
    omen_eid e = w->seen.data[i];
    uint32_t at = omen_model_position (h->model, e);
    OMEN_ASSERT (omen_tracks_sees (h->tracks, &h->thetas.data[theta], e));
    if (at >= to)
      break;
    if (at >= from) {
      OMEN_VEC_PUSH (*events, e);
      continue;
    }
    if (last != OMEN_NONE && omen_model_position (h->model, last) + 1 != at)
      last = OMEN_NONE;
    state = omen_tracks_step (h->tracks, state, e, last);
    last = e;
  }
  return state;
}

/* Remove categories that must-happen-before over the whole trace makes
   impossible (a search in windows cannot show that). */
static void
drop_impossible (sweep *w, uint32_t theta)
{
  const omen_property_hunt *h = w->hunt;
  omen_ids events = { 0 };
  omen_lanes lanes;
  omen_property_graph graph;
  uint32_t start = excerpt_of (w, theta, 0, h->model->event_count, &events);
  omen_lanes_init (&lanes, h->model, w->quick, &events);
  omen_property_graph_init (&graph, h->tracks, &lanes, start);
  if (!graph.capped)
    w->missing[theta] &= graph.nodes.data[0].goals;
  omen_property_graph_fini (&graph);
  omen_lanes_fini (&lanes);
  OMEN_VEC_FINI (events);
}

/* `shortly`: ask about one word for each category only. */
static bool
search_binding (sweep *w, const omen_window *window, omen_engine *engine,
                uint32_t theta, bool shortly)
{
  const omen_property_hunt *h = w->hunt;
  omen_ids events = { 0 };
  omen_lanes excerpt;
  omen_words_result result;
  uint32_t start = excerpt_of (w, theta, window->from, window->to, &events);
  omen_lanes_init (&excerpt, h->model, w->quick, &events);
  result = omen_property_words (h, &h->thetas.data[theta], engine, &excerpt,
                                start, shortly, &w->missing[theta]);
  if (!result.sure && !shortly)
    w->open[theta] = 1;
  omen_lanes_fini (&excerpt);
  OMEN_VEC_FINI (events);
  return !result.stop;
}

/* ---- all of them, window by window ---- */

/* List all events that some binding sees; they must be nodes of the window. */
static void
find_asked (sweep *w)
{
  const omen_property_hunt *h = w->hunt;
  const omen_ids *events = omen_tracks_events (h->tracks);
  uint64_t *order = omen_alloc (events->count * sizeof *order + 1);
  for (size_t i = 0; i < events->count; i++)
    order[i] = OMEN_PAIR (omen_model_position (h->model, events->data[i]),
                          events->data[i]);
  if (h->model->order && events->count)
    qsort (order, events->count, sizeof *order, omen_compare_u64);
  for (size_t i = 0; i < events->count; i++)
    OMEN_VEC_PUSH (w->asked, (uint32_t)order[i]);
  omen_free (order);
}

static omen_window *
window_of (const sweep *w, uint32_t from, uint32_t to)
{
  const omen_property_hunt *h = w->hunt;
  return omen_window_new_asked (h->model, omen_predict_preserve (h->options),
                                from, to, w->asked.data, w->asked.count);
}

static void
close_window (const sweep *w, omen_window *window, omen_engine *engine)
{
  omen_engine_stats_add (&w->hunt->stats->engine, omen_engine_counts (engine));
  omen_engine_free (engine);
  omen_window_free (window);
}

static bool
search_window (sweep *w, uint32_t from, uint32_t to)
{
  const omen_property_hunt *h = w->hunt;
  omen_window *window = window_of (w, from, to);
  omen_engine *engine = omen_engine_new (window, &h->options->engine);
  bool go_on = true;
  for (uint32_t i = 0; go_on && i < h->thetas.count; i++)
    if (w->missing[i])
      go_on = search_binding (w, window, engine, i, false);
  close_window (w, window, engine);
  return go_on;
}

static void
count_open (const sweep *w, bool whole)
{
  omen_predict_stats *stats = w->hunt->stats;
  for (size_t i = 0; i < w->hunt->thetas.count; i++)
    if (w->missing[i] && (w->open[i] || !whole)) {
      stats->undecided++;
      stats->beyond += !w->open[i];
    }
}

/* ---- small windows ---- */

typedef OMEN_VEC (visit) visits;

static int
by_window (const void *a, const void *b)
{
  const visit *x = a, *y = b;
  if (x->window != y->window)
    return x->window < y->window ? -1 : 1;
  return x->theta < y->theta ? -1 : x->theta > y->theta;
}

/* Find all windows with an event of the binding; each event is in two
   windows. */
static void
find_visits (sweep *w, const omen_windows *windows, uint32_t theta,
             visits *found)
{
  uint32_t next = 0;
  omen_binding_index_events (&w->index, theta, &w->seen);
  for (size_t i = 0; i < w->seen.count; i++) {
    uint32_t at = omen_model_position (w->hunt->model, w->seen.data[i]);
    uint32_t last = at / windows->stride;
    for (uint32_t k = last ? last - 1 : 0; k <= last; k++)
      if (k >= next) {
        OMEN_VEC_PUSH (*found, ((visit){ k, theta }));
        next = k + 1;
      }
  }
}

static bool
search_visits (sweep *w, const omen_windows *windows, const visit *first,
               size_t count)
{
  omen_range range = omen_windows_range (windows, first->window);
  omen_window *window = window_of (w, range.from, range.to);
  omen_engine *engine = omen_engine_new (window, &w->hunt->options->engine);
  bool go_on = true;
  for (size_t i = 0; go_on && i < count; i++)
    if (w->missing[first[i].theta])
      go_on = search_binding (w, window, engine, first[i].theta, true);
  close_window (w, window, engine);
  return go_on;
}

/* Small windows, for bindings whose events are close together. What they do not
   find stays open. */
static bool
search_small (sweep *w)
{
  const omen_property_hunt *h = w->hunt;
  uint32_t all = h->model->event_count;
  uint32_t size = all / SMALL_COUNT > SMALL ? all / SMALL_COUNT : SMALL;
  omen_windows windows = omen_windows_of (h->model, size);
  visits found = { 0 };
  bool go_on = true;
  if (all <= size)
    return true;
  for (uint32_t i = 0; i < h->thetas.count; i++)
    if (w->missing[i])
      find_visits (w, &windows, i, &found);
  OMEN_VEC_SORT (found, by_window);
  for (size_t first = 0, end; go_on && first < found.count; first = end) {
    for (end = first + 1;
         end < found.count
         && found.data[end].window == found.data[first].window;)
      end++;
    go_on = search_visits (w, &windows, &found.data[first], end - first);
  }
  OMEN_VEC_FINI (found);
  return go_on;
}

static bool
search_cuts (sweep *w)
{
  const omen_property_hunt *h = w->hunt;
  const omen_predict_options *o = h->options;
  uint32_t size = o->window ? o->window : OMEN_PROPERTY_WINDOW;
  uint32_t count = h->model->event_count, from = 0;
  bool go_on;
  w->quick = omen_quick_new (h->model, omen_predict_preserve (o));
  omen_binding_index_init (&w->index, h->model, h->tracks, &h->thetas);
  find_asked (w);
  for (uint32_t i = 0; count > size && i < h->thetas.count; i++)
    if (w->missing[i])
      drop_impossible (w, i);
  go_on = o->window || search_small (w);
  while (go_on && from < count) {
    uint32_t to = count - from > size ? from + size : count;
    go_on = search_window (w, from, to);
    from = to == count ? count : from + (size > 1 ? size / 2 : 1);
  }
  count_open (w, count <= size);
  omen_binding_index_fini (&w->index);
  return go_on;
}

/* ---- patterns ---- */

/* Ask about patterns; bindings that questions decide are removed from
   `missing`. */
static bool
ask_patterns (sweep *w)
{
  const omen_property_hunt *h = w->hunt;
  omen_predict_stats *stats = h->stats;
  omen_property_fate *fates = omen_zalloc (h->thetas.count, sizeof *fates);
  bool go_on = omen_property_ask (h, fates);
  for (size_t i = 0; i < h->thetas.count; i++) {
    bool beyond = fates[i] == OMEN_PROPERTY_BEYOND;
    bool machine = fates[i] == OMEN_PROPERTY_MACHINE;
    stats->pattern_asked += !machine;
    stats->pattern_machine += machine;
    stats->undecided += beyond || fates[i] == OMEN_PROPERTY_TIRED;
    stats->beyond += beyond;
    if (!machine)
      w->missing[i] = 0;
    w->machines |= machine;
  }
  omen_free (fates);
  return go_on;
}

bool
omen_property_search (const omen_property_hunt *h)
{
  uint32_t all
      = (uint32_t)((UINT64_C (1) << h->property->formula[h->formula].categories)
                   - 1);
  bool pattern
      = h->property->formula[h->formula].machine.engine == &omen_engine_threads;
  sweep w = { .hunt = h, .machines = !pattern };
  bool go_on = true;
  OMEN_REQUIRE (h->found && h->fold);
  if (!h->thetas.count)
    return true;
  w.missing = omen_alloc (h->thetas.count * sizeof *w.missing);
  w.open = omen_zalloc (h->thetas.count, 1);
  for (size_t i = 0; i < h->thetas.count; i++)
    w.missing[i] = all;
  if (pattern)
    go_on = ask_patterns (&w);
  if (go_on && w.machines)
    go_on = search_cuts (&w);
  OMEN_VEC_FINI (w.asked);
  OMEN_VEC_FINI (w.seen);
  omen_free (w.missing);
  omen_free (w.open);
  omen_quick_free (w.quick);
  return go_on;
}
