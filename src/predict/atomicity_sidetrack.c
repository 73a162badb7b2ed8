/* SideTrack on a finished trace, with the engine's verdict on each report.

   The rules say that the culprit's acquire c can come between the acquires a
   and b of a block. The engine is asked for a run with a, c, b in this order.
   If the whole trace allows none, it is asked again without requiring reads to
   be preserved: if there is still none, the report is refuted, else unverified
   (with other values the threads may behave differently). If there is a run,
   conflicting accesses of the three critical sections make it an atomicity
   violation by the definition; without such accesses it stays unverified. */
#include "base/map.h"
#include "predict/atomicity.h"
#include "predict/crossings.h"
#include "predict/sidetrack.h"
#include "predict/windows.h"

#include <stdio.h>
#include <string.h>

typedef struct suspect {
  omen_sidetrack_error error;
  omen_eid acquires[3];   /* first, culprit's, second */
  uint32_t blame, blames; /* in blame: events that open blocks */
  uint32_t count;
} suspect;

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  uint8_t *chosen; /* by block */
  OMEN_VEC (suspect) suspects;
  omen_ids blame;
  omen_map methods; /* (kind, name) -> bit set of its errors */
  /* the engine */
  omen_window *window;
  omen_engine *engine;
  bool whole;                /* the window is the whole trace */
  omen_window *blind_window; /* whole trace, reads need not be preserved */
  omen_engine *blind;        /* NULL until needed */
  omen_deadline deadline;
  omen_predict_stats *stats;
} hunt;

/* ---- the rules ---- */

static bool
is_atomic (void *context, unsigned kind, uint32_t name, bool entry)
{
  const hunt *h = context;
  const omen_names *names = &h->model->trace->names[omen_kind_operand (kind)];
  return omen_atomic_chosen (h->options->atomic, kind,
                             omen_names_text (names, name), entry);
}

/* The rules know functions only by name; which of them wait, and what happened
   before a thread was started, is known only from the finished trace. */
static bool
is_to_blame (const hunt *h, const omen_sidetrack_report *r, omen_eid open)
{
  const omen_model *m = h->model;
  return h->chosen[m->at[open]]
         && !omen_atomic_starts (h->options->atomic, m, h->chosen,
                                 r->first.event, r->second.event,
                                 omen_model_thread (m, r->culprit.event));
}

static void
take_report (void *context, const omen_sidetrack_report *r)
{
  hunt *h = context;
  suspect s = { r->error,
                { r->first.event, r->culprit.event, r->second.event },
                (uint32_t)h->blame.count,
                0,
                1 };
  OMEN_ASSERT (r->blames > 0 && r->error < OMEN_SIDETRACK_ERRORS);
  for (uint32_t i = 0; i < r->blames; i++) {
    uint32_t *bits;
    if (!is_to_blame (h, r, r->blame[i].open))
      continue;
    bits = omen_map_at (&h->methods,
                        OMEN_PAIR (r->blame[i].kind, r->blame[i].name));
    *bits = (*bits == OMEN_NONE ? 0 : *bits) | 1u << r->error;
    OMEN_VEC_PUSH (h->blame, r->blame[i].open);
    s.blames++;
  }
  if (s.blames)
    OMEN_VEC_PUSH (h->suspects, s);
}

static void
apply_rules (hunt *h)
{
  const omen_model *m = h->model;
  omen_sidetrack_options options
      = { .atomic = is_atomic,
          .found = take_report,
          .context = h,
          .all = h->options->group == OMEN_GROUP_NONE };
  omen_sidetrack *sidetrack = omen_sidetrack_new (&options);
  for (uint32_t i = 0; i < m->event_count; i++) {
    omen_eid e = omen_model_nth (m, i);
    omen_sidetrack_push (sidetrack, omen_model_event (m, e), e);
  }
  omen_sidetrack_free (sidetrack);
}

static void
fill_table (const hunt *h, omen_sidetrack_table *table)
{
  enum { BEFORE = 1, IN = 2, AFTER = 4 };
  memset (table, 0, sizeof *table);
  for (uint32_t i = 0; i <= h->methods.mask; i++) {
    uint32_t bits = h->methods.entries[i].value;
    if (h->methods.entries[i].key == OMEN_MAP_NO_KEY)
      continue;
    table->methods++;
    for (int k = 0; k < 3; k++)
      table->errors[k] += bits >> k & 1;
    if (bits & IN)
      continue;
    table->predicted_before += (bits & BEFORE) != 0;
    table->predicted_after += (bits & AFTER) != 0;
    table->predicted++;
  }
}

/* ---- the engine ---- */

static void
close_window (hunt *h)
{
  if (h->engine)
    omen_engine_stats_add (&h->stats->engine, omen_engine_counts (h->engine));
  omen_engine_free (h->engine);
  if (h->window)
    omen_window_free (h->window);
  h->engine = NULL;
  h->window = NULL;
}

/* Make a window around the three acquires; false if they are too far apart. */
static bool
open_window (hunt *h, const suspect *s)
{
  const omen_model *m = h->model;
  uint32_t size = omen_predict_window (h->options), from = 0, length;
  omen_position_span x = OMEN_SPAN_OF_NONE;
  if (h->engine && h->whole)
    return true;
  for (int i = 0; i < 3; i++)
    omen_extent_widen (&x, m, s->acquires[i]);
  length = x.high - x.low;
  h->whole = m->event_count <= size;
  if (!h->whole && length >= size)
    return false;
  if (!h->whole && x.low > (size - length) / 2)
    from = x.low - (size - length) / 2;
  close_window (h);
  h->window = omen_window_new (m, omen_predict_preserve (h->options), from,
                               m->event_count - from < size ? m->event_count
                                                            : from + size);
  h->engine = omen_engine_new (h->window, &h->options->engine);
  return true;
}

/* Can e1 come before e1', and e2' before e2? */
static omen_verdict
ask_engine (omen_engine *engine, const omen_eid *cross, const omen_swaps *swaps,
            omen_ids *sequence)
{
  omen_question q = { .take = cross,
                      .takes = 4,
                      .order = cross,
                      .orders = 2,
                      .kept = swaps->kept,
                      .kepts = swaps->count };
  omen_engine_answer answer;
  omen_verdict verdict = omen_engine_ask (engine, &q, &answer);
  if (verdict == OMEN_FOUND)
    *sequence = answer.events;
  else
    OMEN_VEC_FINI (answer.events);
  return verdict;
}

/* Would it be possible if reads could see other values? Asked only if it is
   impossible in the whole trace. */
static omen_verdict
ask_blindly (hunt *h, const omen_eid *cross)
{
  omen_question q = { .take = cross, .takes = 4, .order = cross, .orders = 2 };
  omen_engine_answer answer;
  omen_verdict verdict;
  OMEN_ASSERT (h->whole);
  if (!h->blind) {
    h->blind_window = omen_window_new (h->model, OMEN_PRESERVE_NOTHING, 0,
                                       h->model->event_count);
    h->blind = omen_engine_new (h->blind_window, &h->options->engine);
  }
  verdict = omen_engine_ask (h->blind, &q, &answer);
  OMEN_VEC_FINI (answer.events);
  return verdict;
}

static void
close_blind (hunt *h)
{
  omen_engine_free (h->blind);
  omen_window_free (h->blind_window);
}

/* ---- accesses in the sections ---- */

/* Limits per critical section and report; what exceeds them is ignored. */
#define ACCESSES_MAX 64u
#define QUESTIONS_MAX 256u

/* The critical section that starts at the acquire, or NULL. */
static const omen_section *
section_at (const omen_model *m, omen_eid acquire)
{
  unsigned kind = omen_model_event (m, acquire)->kind;
  uint32_t section
      = kind == OMEN_WAKE ? m->waits[m->at[acquire]].begins : m->at[acquire];
  return section == OMEN_NONE ? NULL : &m->sections[section];
}

/* Accesses of the critical section, one for each place and kind. */
static void
list_accesses (const omen_model *m, omen_eid acquire, omen_ids *out)
{
  const omen_trace *trace = m->trace;
  const omen_section *section = section_at (m, acquire);
  omen_tid t = omen_model_thread (m, acquire);
  omen_eid end;
  if (!section)
    return;
  end = section->release;
  for (uint32_t i = trace->index[acquire] + 1;
       i < trace->threads.data[t].count && out->count < ACCESSES_MAX; i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    const omen_event *event = omen_model_event (m, e);
    bool new = omen_kind_class (event->kind) == OMEN_CLASS_ACCESS
               && event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
    if (e == end)
      return;
    for (size_t k = 0; k < out->count && new; k++) {
      const omen_event *other = omen_model_event (m, out->data[k]);
      new = other->object != event->object || other->kind != event->kind;
    }
    if (new)
      OMEN_VEC_PUSH (*out, e);
  }
}

static bool
accesses_conflict (const omen_model *m, omen_eid a, omen_eid b)
{
  const omen_event *x = omen_model_event (m, a), *y = omen_model_event (m, b);
  const omen_place *places = m->trace->places.data;
  return (omen_kind_writes (x->kind) || omen_kind_writes (y->kind))
         && omen_place_overlap (&places[x->object], &places[y->object]);
}

/* The innermost blamed block that is still open at e2, or OMEN_NONE. */
static omen_eid
blamed_at (const hunt *h, const suspect *s, omen_eid e2)
{
  const omen_model *m = h->model;
  for (uint32_t i = 0; i < s->blames; i++) {
    omen_eid open = h->blame.data[s->blame + i];
    omen_eid close = m->blocks[m->at[open]].close;
    if (close == OMEN_NONE || close > e2)
      return open;
  }
  return OMEN_NONE;
}

typedef struct sections {
  omen_engine *engine;
  omen_ids first, culprit, second;
  uint32_t asked;
} sections;

/* Find accesses of the culprit's section for e1 and e2: one event (e1' = e2'),
   or two if `two`. */
static bool
cross_with (hunt *h, sections *s, omen_eid e1, omen_eid e2, bool two,
            omen_eid *cross, omen_ids *sequence)
{
  for (size_t i = 0; i < s->culprit.count; i++)
    for (size_t k = 0; k < s->culprit.count; k++) {
      omen_eid a = s->culprit.data[i], b = s->culprit.data[k];
      if ((i != k) != two || !accesses_conflict (h->model, e1, a)
          || !accesses_conflict (h->model, b, e2)
          || (two && omen_atomic_block (h->model, h->chosen, a, b) == OMEN_NONE)
          || s->asked++ >= QUESTIONS_MAX)
        continue;
      memcpy (cross, (omen_eid[]){ e1, a, b, e2 }, 4 * sizeof *cross);
      for (uint32_t way = 0, ways = 1; way < ways; way++) {
        omen_swaps swaps = omen_crossing_swaps (h->model, cross, way);
        ways = swaps.ways;
        if (ask_engine (s->engine, cross, &swaps, sequence) == OMEN_FOUND)
          return true;
      }
    }
  return false;
}

static bool
find_accesses (hunt *h, const suspect *s, omen_engine *engine, omen_eid *cross,
               omen_ids *sequence)
{
  sections x = { .engine = engine };
  bool found = false;
  list_accesses (h->model, s->acquires[0], &x.first);
  list_accesses (h->model, s->acquires[1], &x.culprit);
  list_accesses (h->model, s->acquires[2], &x.second);
  for (int two = 0; two < 2; two++)
    for (size_t i = 0; i < x.first.count; i++)
      for (size_t k = 0; k < x.second.count && !found; k++)
        found = blamed_at (h, s, x.second.data[k]) != OMEN_NONE
                && cross_with (h, &x, x.first.data[i], x.second.data[k], two,
                               cross, sequence);
  OMEN_VEC_FINI (x.first);
  OMEN_VEC_FINI (x.culprit);
  OMEN_VEC_FINI (x.second);
  return found;
}

static void
leave_unread (hunt *h, omen_eid acquire, omen_unread *unread, unsigned i)
{
  const omen_model *m = h->model;
  const omen_section *section = section_at (m, acquire);
  unread->range[i].thread = omen_model_thread (m, acquire);
  unread->range[i].from = m->trace->index[acquire];
  unread->range[i].to = section && section->release != OMEN_NONE
                            ? m->trace->index[section->release]
                            : UINT32_MAX;
}

/* As find_accesses, but reads of the culprit's section need not be preserved
   (e1' and e2' occur whatever they saw), nor those of the first section if it
   came after the culprit's in the trace, since their order is reversed. */
static bool
find_unread (hunt *h, const suspect *s, omen_eid *cross, omen_ids *sequence)
{
  const omen_model *m = h->model;
  omen_unread unread = { 0 };
  omen_window *window;
  omen_engine *engine;
  bool found;
  if (!h->window || omen_is_past (&h->deadline))
    return false;
  leave_unread (h, s->acquires[1], &unread, 0);
  if (omen_model_position (m, s->acquires[1])
      < omen_model_position (m, s->acquires[0]))
    leave_unread (h, s->acquires[0], &unread, 1);
  window = omen_window_new_unread (m, omen_predict_preserve (h->options),
                                   h->window->from, h->window->to, unread);
  engine = omen_engine_new (window, &h->options->engine);
  found = find_accesses (h, s, engine, cross, sequence);
  omen_engine_stats_add (&h->stats->engine, omen_engine_counts (engine));
  omen_engine_free (engine);
  omen_window_free (window);
  return found;
}

/* ---- findings ---- */

static char *
printed_note (const hunt *h, const suspect *s, const char *why)
{
  const omen_trace *trace = h->model->trace;
  char names[3][OMEN_EVENT_NAME_MAX], text[1024];
  const omen_event *event = omen_trace_event (trace, s->acquires[1]);
  omen_lid lock
      = event->kind == OMEN_WAKE ? (omen_lid)event->value : event->object;
  for (int i = 0; i < 3; i++)
    omen_trace_event_name (trace, s->acquires[i], names[i]);
  snprintf (text, sizeof text,
            "%s-error on %.200s: acquired by %s, between %s and %s%s",
            omen_sidetrack_text (s->error),
            omen_names_text (&trace->names[OMEN_OPERAND_LOCK], lock), names[1],
            names[0], names[2], why);
  return omen_strdup (text);
}

static bool
report_suspect (hunt *h, const suspect *s, omen_finding *finding,
                const char *why)
{
  finding->error = omen_sidetrack_text (s->error);
  memcpy (finding->acquires, s->acquires, sizeof s->acquires);
  finding->note = printed_note (h, s, why);
  finding->count = s->count;
  for (uint32_t i = 0; i < s->blames; i++)
    OMEN_VEC_PUSH (finding->blame, h->blame.data[s->blame + i]);
  return h->sink->found (h->sink->context, finding);
}

static void
make_claimed (hunt *h, const suspect *s, const omen_eid *cross,
              omen_ids *sequence, omen_finding *finding)
{
  omen_eid other
      = cross[1] == cross[2]
            ? OMEN_NONE
            : omen_atomic_block (h->model, h->chosen, cross[1], cross[2]);
  omen_eid claim[] = {
    blamed_at (h, s, cross[3]), cross[0], cross[3], other, cross[1], cross[2]
  };
  char *pattern = omen_atomicity_pattern (h->model->trace, sequence, cross);
  omen_predict_finding (h->model, h->options, OMEN_FINDING_ATOMICITY,
                        OMEN_CLAIM_ATOMICITY, claim, 6, sequence, finding);
  finding->pattern = pattern;
}

static void
make_unverified (hunt *h, const suspect *s, omen_status status,
                 omen_ids *sequence, omen_finding *finding)
{
  omen_predict_finding (h->model, h->options, OMEN_FINDING_ATOMICITY,
                        OMEN_CLAIM_PATTERN, s->acquires, 3, sequence, finding);
  finding->status = status;
}

static bool
judge_suspect (hunt *h, const suspect *s, omen_sidetrack_table *table)
{
  omen_eid locks[]
      = { s->acquires[0], s->acquires[1], s->acquires[1], s->acquires[2] };
  omen_eid cross[4];
  omen_ids order = { 0 }, sequence = { 0 };
  omen_verdict verdict = OMEN_UNKNOWN;
  omen_finding finding;
  const char *why = "; the accesses there are not recorded or do not conflict";
  h->stats->candidates++;
  if (open_window (h, s))
    verdict = ask_engine (h->engine, locks, &(omen_swaps){ 0 }, &order);
  if (verdict == OMEN_FOUND
      && find_accesses (h, s, h->engine, cross, &sequence)) {
    OMEN_VEC_FINI (order);
    make_claimed (h, s, cross, &sequence, &finding);
    table->verified++;
    return report_suspect (h, s, &finding, "");
  }
  if (verdict == OMEN_ABSENT && ask_blindly (h, locks) == OMEN_ABSENT) {
    make_unverified (h, s, OMEN_STATUS_REFUTED, &order, &finding);
    table->refuted++;
    return report_suspect (h, s, &finding, "; no run of these events does it");
  }
  if (verdict == OMEN_ABSENT)
    why = "; with what the reads there saw it is impossible, with other values "
          "the threads may do something else (omen check tries it)";
  else if (verdict != OMEN_FOUND) {
    why = "; not decided within the window and budget";
    h->stats->undecided++;
  }
  table->unverified++;
  if (find_unread (h, s, cross, &sequence)) {
    make_claimed (h, s, cross, &sequence, &finding);
    finding.status = OMEN_STATUS_UNVERIFIED;
    finding.trial = true;
    OMEN_VEC_FINI (order);
  } else
    make_unverified (h, s, OMEN_STATUS_UNVERIFIED, &order, &finding);
  return report_suspect (h, s, &finding, why);
}

bool
omen_predict_sidetrack (const omen_model *model,
                        const omen_predict_options *options,
                        const omen_sink *sink, omen_predict_stats *stats,
                        omen_sidetrack_table *table)
{
  hunt h = { .model = model,
             .options = options,
             .sink = sink,
             .stats = stats,
             .deadline = omen_predict_deadline (options, options->timeout) };
  bool go_on = true;
  h.chosen = omen_atomic_blocks (options->atomic, model);
  omen_map_init (&h.methods);
  apply_rules (&h);
  fill_table (&h, table);
  for (size_t i = 0; i < h.suspects.count && go_on; i++)
    if (!omen_is_past (&h.deadline))
      go_on = judge_suspect (&h, &h.suspects.data[i], table);
    else
      stats->undecided++;
  close_window (&h);
  close_blind (&h);
  omen_map_fini (&h.methods);
  OMEN_VEC_FINI (h.suspects);
  OMEN_VEC_FINI (h.blame);
  omen_free (h.chosen);
  return go_on;
}
