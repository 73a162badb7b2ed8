/* Atomicity violations by their definition: two accesses of an atomic block,
   with one event, or two events of one block, of another thread between
   them. */
#include "base/map.h"
#include "base/now.h"
#include "predict/atomicity.h"
#include "predict/crossings.h"

#include <stdio.h>
#include <string.h>

/* ---- the pattern ---- */

static char
letter (unsigned kind)
{
  return kind == OMEN_ATOMIC_RMW   ? 'U'
         : kind == OMEN_FREE       ? 'F'
         : omen_kind_writes (kind) ? 'W'
                                   : 'R';
}

/* The accesses of the crossing in the order of the sequence; returns how
   many. */
static uint32_t
sort_accesses (const omen_ids *sequence, const omen_eid *cross, omen_eid *out)
{
  uint32_t count = 0;
  for (size_t i = 0; i < sequence->count; i++)
    for (uint32_t k = 0; k < 4; k++)
      if (sequence->data[i] == cross[k] && !(k == 2 && cross[1] == cross[2]))
        out[count++] = cross[k];
  OMEN_ASSERT (count == 3 + (cross[1] != cross[2]));
  return count;
}

static bool
same_variable (const omen_trace *trace, omen_eid a, omen_eid b)
{
  return trace->places.data[omen_trace_event (trace, a)->object].variable
         == trace->places.data[omen_trace_event (trace, b)->object].variable;
}

char *
omen_atomicity_pattern (const omen_trace *trace, const omen_ids *sequence,
                        const omen_eid *cross)
{
  omen_eid events[4];
  uint32_t count = sort_accesses (sequence, cross, events);
  omen_tid own = omen_trace_event (trace, cross[0])->thread;
  bool one = same_variable (trace, cross[0], cross[3]);
  char text[32], *at = text;
  for (uint32_t i = 0; i < count; i++) {
    const omen_event *event = omen_trace_event (trace, events[i]);
    *at++ = letter (event->kind);
    if (!one)
      *at++ = same_variable (trace, events[i], cross[0]) ? '1' : '2';
    if (count == 4 && event->thread != own)
      *at++ = '\'';
    *at++ = '-';
  }
  at[-1] = '\0';
  return omen_strdup (text);
}

/* ---- reports ---- */

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_crossings *crossings;
  bool steady;
  OMEN_VEC (omen_finding) held; /* steady: held back until all are known */
} hunt;

static bool
report_answer (void *context, uint32_t group, const omen_eid *cross,
               uint32_t count, uint32_t instances, omen_ids *sequence)
{
  hunt *h = context;
  const uint8_t *chosen = omen_crossings_chosen (h->crossings);
  omen_eid block = omen_atomic_block (h->model, chosen, cross[0], cross[3]);
  omen_eid other
      = cross[1] == cross[2]
            ? OMEN_NONE
            : omen_atomic_block (h->model, chosen, cross[1], cross[2]);
  omen_eid claim[] = { block, cross[0], cross[3], other, cross[1], cross[2] };
  omen_finding finding;
  char *pattern = omen_atomicity_pattern (h->model->trace, sequence, cross);
  OMEN_ASSERT (count == 4 && block != OMEN_NONE);
  OMEN_ASSERT (other != OMEN_NONE || cross[1] == cross[2]);
  (void)group;
  omen_predict_finding (h->model, h->options, OMEN_FINDING_ATOMICITY,
                        OMEN_CLAIM_ATOMICITY, claim, 6, sequence, &finding);
  finding.pattern = pattern;
  finding.count = instances;
  for (; block != OMEN_NONE;
       block = omen_atomic_around (h->model, chosen, block, cross[3]))
    OMEN_VEC_PUSH (finding.blame, block);
  if (!h->steady)
    return h->sink->found (h->sink->context, &finding);
  OMEN_VEC_PUSH (h->held, finding);
  return true;
}

/* ---- callers ---- */

static uint32_t
function_at (const hunt *h, omen_eid open)
{
  const omen_event *event = omen_model_event (h->model, open);
  return event->kind == OMEN_ENTER ? event->object : OMEN_NONE;
}

static omen_vid
variable_of (const hunt *h, omen_eid e)
{
  const omen_trace *trace = h->model->trace;
  return trace->places.data[omen_trace_event (trace, e)->object].variable;
}

/* Is the function blamed by `outer` one of the functions around the one blamed
   by `inner`? */
static bool
is_around (const hunt *h, const omen_finding *inner, const omen_finding *outer)
{
  uint32_t name = function_at (h, outer->blame.data[0]);
  if (name == OMEN_NONE || name == function_at (h, inner->blame.data[0]))
    return false;
  for (size_t i = 1; i < inner->blame.count; i++)
    if (function_at (h, inner->blame.data[i]) == name)
      return true;
  return false;
}

/* Is a finding redundant? If a function is not atomic, its callers are not
   atomic with the same variables, either. */
static bool
is_reported (const hunt *h, const omen_map *pairs, const omen_finding *finding)
{
  const omen_eid *claim = finding->witness.claim.events.data;
  for (size_t i = 0; i < h->held.count; i++) {
    const omen_finding *inner = &h->held.data[i];
    uint32_t name;
    if (!inner->blame.count || !is_around (h, inner, finding))
      continue;
    name = function_at (h, inner->blame.data[0]);
    if (omen_map_get (pairs, OMEN_PAIR (name, variable_of (h, claim[1])))
            != OMEN_NONE
        && omen_map_get (pairs, OMEN_PAIR (name, variable_of (h, claim[2])))
               != OMEN_NONE)
      return true;
  }
  return false;
}

static bool
report_violations (hunt *h)
{
  bool go_on = true;
  omen_map pairs; /* (function, variable) of findings */
  omen_map_init (&pairs);
  for (size_t i = 0; i < h->held.count; i++) {
    const omen_eid *claim = h->held.data[i].witness.claim.events.data;
    uint32_t name = function_at (h, h->held.data[i].blame.data[0]);
    *omen_map_at (&pairs, OMEN_PAIR (name, variable_of (h, claim[1]))) = 1;
    *omen_map_at (&pairs, OMEN_PAIR (name, variable_of (h, claim[2]))) = 1;
  }
  for (size_t i = 0; i < h->held.count; i++)
    if (is_reported (h, &pairs, &h->held.data[i]))
      omen_finding_fini (&h->held.data[i]); /* also clears its blame */
  for (size_t i = 0; i < h->held.count; i++)
    if (!h->held.data[i].blame.count)
      continue;
    else if (go_on)
      go_on = h->sink->found (h->sink->context, &h->held.data[i]);
    else
      omen_finding_fini (&h->held.data[i]);
  omen_map_fini (&pairs);
  OMEN_VEC_FINI (h->held);
  return go_on;
}

/* Under sliced each combination of events is a question of its own. For longer
   traces only the representatives that suffice under value are asked about. */
#define FULL_EVENTS 4096u

bool
omen_predict_atomicity (const omen_model *model,
                        const omen_predict_options *options,
                        const omen_sink *sink, omen_predict_stats *stats)
{
  hunt h = { .model = model, .options = options, .sink = sink };
  omen_asker *asker;
  omen_inquiry inquiry = { .what = "atomicity",
                           .all = options->group == OMEN_GROUP_NONE,
                           .form = OMEN_ASK_CROSS,
                           .enumerate = omen_crossings_each,
                           .answered = report_answer,
                           .context = &h };
  bool go_on = true, sliced = options->model == OMEN_MODEL_SLICED
                              && omen_model_depends (model);
  /* half of the time to find candidates, the rest for questions */
  omen_deadline deadline
      = omen_predict_deadline (options, options->timeout / 2);
  h.crossings = omen_crossings_new (model, options->atomic, options->group,
                                    sliced && model->event_count <= FULL_EVENTS,
                                    deadline);
  h.steady = options->atomic && options->atomic->mode == OMEN_ATOMIC_STEADY;
  inquiry.candidates = h.crossings;
  inquiry.groups = omen_crossings_groups (h.crossings);
  if (inquiry.groups) {
    asker = omen_asker_new (model, options, sink);
    omen_crossings_narrow (h.crossings, omen_asker_quick (asker));
    go_on = omen_asker_run (asker, &inquiry, stats) && report_violations (&h);
    omen_asker_free (asker);
  }
  stats->undecided += omen_crossings_cut_short (h.crossings)
                      || (sliced && model->event_count > FULL_EVENTS);
  omen_crossings_free (h.crossings);
  return go_on;
}
