/* The words (orders of the events that a binding sees) of one binding in one
   window, level by level; the engine decides which of them a reordering can
   have.

   First the shortest word to each category, as if everything in the graph were
   possible: that one question is mostly enough. Then each (cut, state) is
   entered once, by the first word found possible: a few questions for each
   node. This misses a verdict only if another word to the same node can be
   continued where the first one cannot. So if the engine refuted something and
   a verdict that the graph allows is still missing, all words are tried one by
   one. Verdicts not found then are impossible, unless a limit was hit. */
#include "base/now.h"
#include "predict/property/words.h"

/* Limit of words of one length. */
#define WORDS_MAX 20000u

/* A word: a shorter one, and one more event. */
typedef struct word {
  uint32_t node, before; /* before: in words; OMEN_NONE for the empty word */
  uint32_t event;        /* index in the excerpt */
  bool together;         /* directly after the event before */
  bool observed;         /* as in the trace */
} word;

typedef struct search {
  const omen_property_hunt *hunt;
  const omen_lanes *excerpt;
  omen_property_graph graph;
  omen_engine *engine;
  const omen_theta *theta;
  OMEN_VEC (word) words;
  uint8_t *entered;  /* by node; NULL: try words one by one */
  uint32_t *missing; /* categories not reached yet */
  uint64_t asks;     /* questions left */
  bool refuted, unsure, stop;
  /* the current question */
  omen_ids take, kept, order, without, together;
  uint32_t *done; /* by lane */
} search;

/* ---- questions ---- */

/* Put the events of the word into `take`, pairs that must be adjacent into
   `together`, and their number in each lane into `done`. */
static void
spell (search *s, uint32_t at)
{
  OMEN_ASSERT (at < s->words.count);
  OMEN_VEC_CLEAR (s->take);
  OMEN_VEC_CLEAR (s->together);
  for (uint32_t l = 0; l < s->excerpt->lanes; l++)
    s->done[l] = 0;
  for (; s->words.data[at].before != OMEN_NONE; at = s->words.data[at].before) {
    uint32_t i = s->words.data[at].event;
    OMEN_ASSERT (s->words.data[at].before < at);
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

/* Exactly these events of the excerpt, in this order. */
static omen_question
question_of (search *s)
{
  const omen_lanes *x = s->excerpt;
  const uint8_t *loose = omen_tracks_loose (s->hunt->tracks);
  OMEN_VEC_CLEAR (s->order);
  OMEN_VEC_CLEAR (s->without);
  OMEN_VEC_CLEAR (s->kept);
  for (size_t i = 0; i < s->take.count; i++)
    if (!loose[s->take.data[i]])
      OMEN_VEC_PUSH (s->kept, s->take.data[i]);
  for (size_t i = 1; i < s->take.count; i++) {
    OMEN_VEC_PUSH (s->order, s->take.data[i - 1]);
    OMEN_VEC_PUSH (s->order, s->take.data[i]);
  }
  for (uint32_t l = 0; l < x->lanes; l++) {
    uint32_t next = x->lane_first.data[l] + s->done[l];
    if (next < x->lane_first.data[l + 1])
      OMEN_VEC_PUSH (s->without, x->events.data[x->lane_events.data[next]]);
  }
  return (omen_question){ .take = s->take.data,
                          .takes = (uint32_t)s->take.count,
                          .kept = s->kept.data,
                          .kepts = (uint32_t)s->kept.count,
                          .order = s->order.data,
                          .orders = (uint32_t)s->order.count / 2,
                          .together = s->together.data,
                          .togethers = (uint32_t)s->together.count / 2,
                          .without = s->without.data,
                          .withouts = (uint32_t)s->without.count };
}

/* Events that the word does not require to be adjacent may happen to be, so the
   binding may land earlier: the run then ends there. If the formula rules out
   events that are adjacent, it may not land at all. */
static uint32_t
end_at_landing (search *s, omen_ids *sequence, uint32_t wanted)
{
  size_t end = omen_property_landing (s->hunt, s->theta, sequence, &wanted);
  s->unsure |= !end;
  sequence->count = end;
  return wanted;
}

/* Is there a reordering with this word? If so, `sequence` ends with the word's
   last event. */
static bool
is_possible (search *s, uint32_t at, omen_ids *sequence)
{
  omen_engine_answer answer;
  omen_question q;
  omen_verdict verdict;
  omen_eid last = s->excerpt->events.data[s->words.data[at].event];
  if (s->words.data[at].observed) {
    omen_model_prefix (s->hunt->model,
                       omen_model_position (s->hunt->model, last) + 1,
                       sequence);
    return true;
  }
  if (!s->asks || omen_is_past (&s->hunt->deadline)) {
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
  if (verdict == OMEN_FOUND) {
    /* Drop the events after `last`. */
    while (sequence->count && OMEN_VEC_LAST (*sequence) != last)
      sequence->count--;
    OMEN_ASSERT (sequence->count);
  }
  return verdict == OMEN_FOUND;
}

/* ---- the search ---- */

static void
report_landings (search *s, const word *w, omen_ids *sequence)
{
  const omen_property_hunt *h = s->hunt;
  uint32_t state = s->graph.nodes.data[w->node].state;
  uint32_t landed = omen_tracks_landed (h->tracks, state) & *s->missing;
  if (landed && s->graph.parallel)
    landed = end_at_landing (s, sequence, landed);
  *s->missing &= ~landed;
  for (; landed && !s->stop; landed &= landed - 1) {
    omen_ids copy = { 0 };
    for (size_t i = 0; i < sequence->count; i++)
      OMEN_VEC_PUSH (copy, sequence->data[i]);
    s->stop = !h->found (h->context, s->theta, (uint32_t)__builtin_ctz (landed),
                         &copy);
    OMEN_VEC_FINI (copy);
  }
}

static void
follow_edge (search *s, uint32_t from, uint32_t level,
             const omen_graph_edge *edge)
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

/* Follow all edges from words [first, end). */
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
      follow_edge (s, at, level, &edge);
    }
  }
}

static void
search_words (search *s)
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

/* ---- the shortest word ---- */

/* By node: the first edge into it, and the node where that edge starts. */
typedef struct arrival {
  uint32_t from, edge;
} arrival;

static arrival *
find_arrivals (const search *s)
{
  const omen_property_graph *g = &s->graph;
  size_t nodes = g->nodes.count - 1;
  arrival *arrivals = omen_alloc (g->nodes.count * sizeof *arrivals);
  for (size_t n = 0; n < nodes; n++)
    arrivals[n] = (arrival){ OMEN_NONE, OMEN_NONE };
  for (uint32_t n = 0; n < nodes; n++)
    for (uint32_t e = g->nodes.data[n].first_edge;
         e < g->nodes.data[n + 1].first_edge; e++) {
      arrival *at = &arrivals[g->edges.data[e].to];
      if (at->from == OMEN_NONE)
        *at = (arrival){ n, e };
    }
  return arrivals;
}

/* The path of arrivals to the node as words, from the empty one on. */
static void
push_word (search *s, const arrival *arrivals, uint32_t node)
{
  omen_ids path = { 0 };
  OMEN_VEC_CLEAR (s->words);
  OMEN_VEC_PUSH (s->words, ((word){ 0, OMEN_NONE, 0, false, true }));
  for (; arrivals[node].from != OMEN_NONE; node = arrivals[node].from)
    OMEN_VEC_PUSH (path, node);
  for (size_t i = path.count; i-- > 0;) {
    const omen_graph_edge *edge
        = &s->graph.edges.data[arrivals[path.data[i]].edge];
    uint32_t before = (uint32_t)s->words.count - 1;
    bool observed = s->words.data[before].observed && edge->event == before
                    && !edge->together;
    OMEN_VEC_PUSH (s->words, ((word){ edge->to, before, edge->event,
                                      edge->together, observed }));
  }
  OMEN_VEC_FINI (path);
}

/* The first node, by level, that lands in one of the categories. */
static uint32_t
first_landing (const search *s, const arrival *arrivals, uint32_t categories)
{
  const omen_property_graph *g = &s->graph;
  for (uint32_t n = 1; n + 1 < g->nodes.count; n++)
    if (arrivals[n].from != OMEN_NONE
        && omen_tracks_landed (s->hunt->tracks, g->nodes.data[n].state)
               & categories)
      return n;
  return OMEN_NONE;
}

static void
try_shortest (search *s)
{
  uint32_t wanted = *s->missing & s->graph.nodes.data[0].goals;
  arrival *arrivals = wanted ? find_arrivals (s) : NULL;
  while (wanted && !s->stop) {
    uint32_t node = first_landing (s, arrivals, wanted), last;
    omen_ids sequence = { 0 };
    OMEN_ASSERT (node != OMEN_NONE);
    push_word (s, arrivals, node);
    last = (uint32_t)s->words.count - 1;
    wanted &= ~omen_tracks_landed (s->hunt->tracks,
                                   s->graph.nodes.data[node].state);
    if (is_possible (s, last, &sequence))
      report_landings (s, &s->words.data[last], &sequence);
    OMEN_VEC_FINI (sequence);
  }
  omen_free (arrivals);
}

/* Returns false if something is left undecided. */
static bool
look_in (search *s, bool shortly)
{
  size_t nodes = s->graph.nodes.count;
  bool sure;
  OMEN_ASSERT (nodes > 1); /* the empty cut, and the end marker */
  s->asks = s->hunt->options->asks ? s->hunt->options->asks : UINT64_MAX;
  try_shortest (s);
  if (shortly || s->stop || !(*s->missing & s->graph.nodes.data[0].goals))
    return !s->graph.capped;
  s->entered = omen_zalloc (nodes, 1);
  search_words (s);
  omen_free (s->entered);
  s->entered = NULL;
  sure = !s->unsure;
  if (s->refuted && *s->missing & s->graph.nodes.data[0].goals && !s->stop) {
    search_words (s);
    sure = !s->unsure;
  }
  return sure && !s->graph.capped;
}

omen_words_result
omen_property_words (const omen_property_hunt *h, const omen_theta *theta,
                     omen_engine *engine, const omen_lanes *excerpt,
                     uint32_t start, bool shortly, uint32_t *missing)
{
  search s = { .hunt = h,
               .theta = theta,
               .engine = engine,
               .excerpt = excerpt,
               .missing = missing };
  omen_words_result result;
  omen_property_graph_init (&s.graph, h->tracks, excerpt, start);
  s.done = omen_zalloc (excerpt->lanes, sizeof *s.done);
  result.sure = look_in (&s, shortly);
  result.stop = s.stop;
  omen_property_graph_fini (&s.graph);
  omen_free (s.done);
  OMEN_VEC_FINI (s.words);
  OMEN_VEC_FINI (s.take);
  OMEN_VEC_FINI (s.kept);
  OMEN_VEC_FINI (s.order);
  OMEN_VEC_FINI (s.without);
  OMEN_VEC_FINI (s.together);
  return result;
}
