/* Verdicts under rf, value and sliced: a search over the cuts of the events that
   a binding sees, level by level, the engine deciding which words (orders of
   these events) a reordering can have.

   First each (cut, state) is entered once, by the first word found possible: a
   few questions for each node. That misses a verdict only if another word to
   the same node would have gone on where this one cannot; so if the engine
   refuted something and a verdict that the graph allows is still missing, the
   words are tried one by one. What then is not found is impossible, unless a
   limit was hit. */
#include "base/now.h"
#include "base/seeded.h"
#include "predict/property.h"
#include "predict/property_graph.h"

#include <stdlib.h>

/* Words of one length that are followed up. */
#define WORDS_MAX 20000u

/* A word: another one and an event more. */
typedef struct word {
  uint32_t node, before; /* in words; OMEN_NONE: the empty one */
  uint32_t event;        /* number in the excerpt */
  bool together;         /* with the event before */
  bool observed;         /* the trace has it so */
} word;

typedef struct search {
  const omen_property_hunt *hunt;
  const omen_lanes *excerpt;
  omen_property_graph graph;
  omen_engine *engine;
  const omen_window *window;
  const omen_theta *theta;
  OMEN_VEC (word) words;
  uint8_t *entered;  /* by node; NULL: words one by one */
  uint32_t *missing; /* categories */
  uint64_t asks;     /* left */
  bool refuted, unsure, stop;
  /* the question at hand */
  omen_ids take, order, without, together;
  uint32_t *done; /* by lane */
} search;

/* ---- questions ---- */

/* The events of the word, first to last, into take, and pairs that come at once
   into together; how much of each lane that is. */
static void
spell (search *s, uint32_t at)
{
  OMEN_VEC_CLEAR (s->take);
  OMEN_VEC_CLEAR (s->together);
  for (uint32_t l = 0; l < s->excerpt->lanes; l++)
    s->done[l] = 0;
  for (; s->words.data[at].before != OMEN_NONE;
       at = s->words.data[at].before) {
    uint32_t i = s->words.data[at].event;
    OMEN_VEC_PUSH (s->take, s->excerpt->events.data[i]);
    if (s->words.data[at].together) {
      uint32_t before = s->words.data[s->words.data[at].before].event;
      OMEN_VEC_PUSH (s->together, s->excerpt->events.data[before]);
      OMEN_VEC_PUSH (s->together, s->excerpt->events.data[i]);
    }
    s->done[s->excerpt->lane_of.data[i]]++;
  }
  for (size_t i = 0; i < s->take.count / 2; i++) {
    uint32_t other = s->take.data[i];
    s->take.data[i] = s->take.data[s->take.count - 1 - i];
    s->take.data[s->take.count - 1 - i] = other;
  }
}

/* These events in this order and no other of the excerpt. */
static omen_question
question_of (search *s)
{
  const omen_lanes *x = s->excerpt;
  OMEN_VEC_CLEAR (s->order);
  OMEN_VEC_CLEAR (s->without);
  for (size_t i = 1; i < s->take.count; i++) {
    OMEN_VEC_PUSH (s->order, s->take.data[i - 1]);
    OMEN_VEC_PUSH (s->order, s->take.data[i]);
  }
  for (uint32_t l = 0; l < x->lanes; l++) {
    uint32_t next = x->lane_first.data[l] + s->done[l];
    if (next < x->lane_first.data[l + 1])
      OMEN_VEC_PUSH (s->without,
                     x->events.data[x->lane_events.data[next]]);
  }
  return (omen_question){ .take = s->take.data,
                          .takes = (uint32_t)s->take.count,
                          .keeps = !OMEN_BUG (241),
                          .order = s->order.data,
                          .orders = (uint32_t)s->order.count / 2,
                          .together = s->together.data,
                          .togethers = (uint32_t)s->together.count / 2,
                          .without = s->without.data,
                          .withouts = (uint32_t)s->without.count };
}

/* The trace up to its event `last`. */
static void
as_observed (const search *s, omen_eid last, omen_ids *sequence)
{
  const omen_model *m = s->hunt->model;
  for (uint32_t i = 0; i <= omen_model_position (m, last); i++)
    OMEN_VEC_PUSH (*sequence, omen_model_nth (m, i));
}

/* What comes after `last` is not needed. */
static void
end_at (omen_ids *sequence, omen_eid last)
{
  while (sequence->count && OMEN_VEC_LAST (*sequence) != last)
    sequence->count--;
  OMEN_ASSERT (sequence->count);
}

/* Two that just came some time after one another may be neighbours, and match
   as such before the word ends: the run is over then. */
static void
end_at_landing (const search *s, omen_ids *sequence)
{
  size_t end = omen_property_landing (s->hunt, s->theta, sequence);
  OMEN_ASSERT (end);
  sequence->count = end;
}

/* Is there a reordering with this word? If so, it ends with its last event. */
static bool
is_possible (search *s, uint32_t at, omen_ids *sequence)
{
  omen_engine_answer answer;
  omen_question q;
  omen_verdict verdict;
  omen_eid last = s->excerpt->events.data[s->words.data[at].event];
  if (s->words.data[at].observed) {
    as_observed (s, last, sequence);
    return true;
  }
  if (!s->asks || omen_is_past (s->hunt->deadline)) {
    s->unsure = true;
    return false;
  }
  s->asks--;
  spell (s, at);
  q = question_of (s);
  verdict = omen_engine_ask (s->engine, &q, &answer);
  s->refuted |= verdict == OMEN_ABSENT;
  s->unsure |= verdict == OMEN_UNKNOWN;
  *sequence = answer.events;
  if (verdict == OMEN_FOUND)
    end_at (sequence, last);
  return verdict == OMEN_FOUND;
}

/* ---- the search ---- */

static void
report_landings (search *s, const word *w, omen_ids *sequence)
{
  const omen_property_hunt *h = s->hunt;
  uint32_t state = s->graph.nodes.data[w->node].state;
  uint32_t landed = omen_tracks_landed (h->tracks, state) & *s->missing;
  *s->missing &= ~landed;
  if (landed && s->graph.parallel)
    end_at_landing (s, sequence);
  for (; landed && !s->stop; landed &= landed - 1) {
    omen_ids copy = { 0 };
    for (size_t i = 0; i < sequence->count; i++)
      OMEN_VEC_PUSH (copy, sequence->data[i]);
    s->stop = !h->found (h->context, s->theta,
                         (uint32_t)__builtin_ctz (landed), &copy);
    OMEN_VEC_FINI (copy);
  }
}

static void
follow (search *s, uint32_t from, uint32_t level, const omen_graph_edge *edge)
{
  word new = { edge->to, from, edge->event, edge->together,
               s->words.data[from].observed && edge->event == level
                   && !edge->together };
  omen_ids sequence = { 0 };
  OMEN_VEC_PUSH (s->words, new);
  if (is_possible (s, (uint32_t)s->words.count - 1, &sequence)) {
    if (s->entered)
      s->entered[edge->to] = 1;
    report_landings (s, &new, &sequence);
  } else
    s->words.count--;
  OMEN_VEC_FINI (sequence);
}

/* All words that are one event longer than words [first, end). */
static void
lengthen (search *s, uint32_t first, uint32_t end, uint32_t level)
{
  for (uint32_t at = first; at < end && !s->stop; at++) {
    uint32_t node = s->words.data[at].node;
    for (uint32_t e = s->graph.nodes.data[node].first_edge;
         e < s->graph.nodes.data[node + 1].first_edge && !s->stop; e++) {
      omen_graph_edge edge = s->graph.edges.data[e];
      if (!(s->graph.nodes.data[edge.to].goals & *s->missing)
          || (s->entered && s->entered[edge.to]))
        continue;
      if (s->words.count - end >= WORDS_MAX) {
        s->unsure = true;
        return;
      }
      follow (s, at, level, &edge);
    }
  }
}

static void
run (search *s)
{
  uint32_t first = 0, end = 1;
  OMEN_VEC_CLEAR (s->words);
  OMEN_VEC_PUSH (s->words, ((word){ 0, OMEN_NONE, 0, false, true }));
  s->refuted = s->unsure = false;
  for (uint32_t level = 0; first < end && !s->stop; level++) {
    lengthen (s, first, end, level);
    first = end;
    end = (uint32_t)s->words.count;
  }
}

/* One binding in one window. False: something stays open. */
static bool
look_in (search *s)
{
  size_t nodes = s->graph.nodes.count;
  bool sure;
  s->asks = s->hunt->options->asks ? s->hunt->options->asks : UINT64_MAX;
  s->entered = omen_zalloc (nodes, 1);
  run (s);
  omen_free (s->entered);
  s->entered = NULL;
  sure = !s->unsure;
  if (s->refuted && *s->missing & s->graph.nodes.data[0].goals && !s->stop) {
    run (s);
    sure = !s->unsure;
  }
  return sure && !s->graph.capped;
}

/* ---- windows ---- */

typedef struct sweep {
  const omen_property_hunt *hunt;
  omen_quick *quick;
  uint32_t *missing;  /* by theta */
  uint8_t *open;      /* by theta: some window left it open */
  omen_ids asked;     /* events, in the order of the run */
  bool machines;      /* some bindings are to be searched */
} sweep;

/* What the binding sees in positions [from, to), and the state that what it sees
   in front of them leads to. */
static uint32_t
excerpt_of (const sweep *w, const omen_theta *theta, uint32_t from, uint32_t to,
            omen_ids *events)
{
  const omen_property_hunt *h = w->hunt;
  uint32_t state = omen_tracks_start (h->tracks, theta);
  omen_eid last = OMEN_NONE;
  OMEN_VEC_CLEAR (*events);
  for (size_t i = 0; i < w->asked.count; i++) {
    omen_eid e = w->asked.data[i];
    uint32_t at = omen_model_position (h->model, e);
    if (at >= to || !omen_tracks_sees (h->tracks, theta, e))
      continue;
    if (at >= from) {
      OMEN_VEC_PUSH (*events, e);
      continue;
    }
    state = omen_tracks_step (
        h->tracks, state, e, last,
        last != OMEN_NONE && omen_model_position (h->model, last) + 1 == at);
    last = e;
  }
  return state;
}

/* Windows prove nothing impossible, but the orders that must hold may, over the
   whole trace. */
static void
drop_impossible (const sweep *w, uint32_t theta)
{
  const omen_property_hunt *h = w->hunt;
  omen_ids events = { 0 };
  omen_lanes lanes;
  omen_property_graph graph;
  uint32_t start = excerpt_of (w, &h->thetas.data[theta], 0,
                               h->model->event_count, &events);
  omen_lanes_init (&lanes, h->model, w->quick, &events);
  omen_property_graph_init (&graph, h->tracks, &lanes, start);
  if (!graph.capped)
    w->missing[theta] &= graph.nodes.data[0].goals;
  omen_property_graph_fini (&graph);
  omen_lanes_fini (&lanes);
  OMEN_VEC_FINI (events);
}

static bool
search_binding (const sweep *w, const omen_window *window, omen_engine *engine,
                uint32_t theta)
{
  const omen_property_hunt *h = w->hunt;
  search s = { .hunt = h, .window = window, .engine = engine,
               .theta = &h->thetas.data[theta], .missing = &w->missing[theta] };
  omen_ids events = { 0 };
  omen_lanes excerpt;
  uint32_t start
      = excerpt_of (w, s.theta, window->from, window->to, &events);
  omen_lanes_init (&excerpt, h->model, w->quick, &events);
  s.excerpt = &excerpt;
  omen_property_graph_init (&s.graph, h->tracks, &excerpt, start);
  s.done = omen_zalloc (excerpt.lanes, sizeof *s.done);
  if (!look_in (&s))
    w->open[theta] = 1;
  omen_property_graph_fini (&s.graph);
  omen_lanes_fini (&excerpt);
  omen_free (s.done);
  OMEN_VEC_FINI (s.words);
  OMEN_VEC_FINI (s.take);
  OMEN_VEC_FINI (s.order);
  OMEN_VEC_FINI (s.without);
  OMEN_VEC_FINI (s.together);
  OMEN_VEC_FINI (events);
  return !s.stop;
}

/* In the order of the run. */
static int
by_position (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* All events that some binding sees: they must be nodes of the window. */
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
    qsort (order, events->count, sizeof *order, by_position);
  for (size_t i = 0; i < events->count; i++)
    OMEN_VEC_PUSH (w->asked, (uint32_t)order[i]);
  omen_free (order);
}

static bool
search_window (const sweep *w, uint32_t from, uint32_t to)
{
  const omen_property_hunt *h = w->hunt;
  omen_window *window
      = omen_window_new_asked (h->model, omen_predict_preserve (h->options),
                               from, to, w->asked.data, w->asked.count);
  omen_engine *engine = omen_engine_new (window, &h->options->engine);
  bool go_on = true;
  for (uint32_t i = 0; go_on && i < h->thetas.count; i++)
    if (w->missing[i])
      go_on = search_binding (w, window, engine, i);
  omen_engine_stats_add (&h->stats->engine, omen_engine_counts (engine));
  omen_engine_free (engine);
  omen_window_free (window);
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

static bool
search_cuts (sweep *w)
{
  const omen_property_hunt *h = w->hunt;
  const omen_predict_options *o = h->options;
  uint32_t size = o->window ? o->window : OMEN_PROPERTY_WINDOW;
  uint32_t count = h->model->event_count, from = 0;
  bool go_on;
  w->quick = omen_quick_new (h->model, omen_predict_preserve (o));
  find_asked (w);
  for (uint32_t i = 0; count > size && i < h->thetas.count; i++)
    if (w->missing[i])
      drop_impossible (w, i);
  do {
    uint32_t to = count - from > size ? from + size : count;
    go_on = search_window (w, from, to);
    from = to == count ? count : from + (size > 1 ? size / 2 : 1);
  } while (go_on && from < count);
  count_open (w, count <= size);
  return go_on;
}

/* What questions leave to the machines. */
static bool
ask_patterns (sweep *w)
{
  const omen_property_hunt *h = w->hunt;
  omen_predict_stats *stats = h->stats;
  omen_property_fate *fates
      = omen_zalloc (h->thetas.count, sizeof *fates);
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
  uint32_t all = (uint32_t)((UINT64_C (1)
                             << h->property->formula[h->formula].categories)
                            - 1);
  bool pattern = h->property->formula[h->formula].machine.engine
                 == &omen_engine_threads;
  sweep w = { .hunt = h, .machines = !pattern };
  bool go_on = true;
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
  omen_free (w.missing);
  omen_free (w.open);
  omen_quick_free (w.quick);
  return go_on;
}
