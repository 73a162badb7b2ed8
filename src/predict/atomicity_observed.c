/* Serializability of the recorded run itself: each cycle of transactions
   (serial.h) is a finding; its witness is the run up to the event that closes
   the cycle. */
#include "base/map.h"
#include "predict/atomicity.h"
#include "predict/serial.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_predict_stats *stats;
  uint8_t *chosen;
  omen_serial_graph *graph; /* made when the first cycle is found */
  omen_map seen;            /* one report for each block and location */
  bool go_on;
} hunt;

static bool
seen_before (hunt *h, uint32_t block, omen_eid e)
{
  const omen_model *m = h->model;
  const omen_event *open = omen_model_event (m, m->blocks[block].open);
  uint64_t key = OMEN_PAIR (open->object, omen_model_event (m, e)->location);
  uint32_t *slot;
  if (h->options->group == OMEN_GROUP_NONE)
    return false;
  if (h->options->group == OMEN_GROUP_EVENT)
    key = block;
  slot = omen_map_at (&h->seen, key << 1 | (open->kind == OMEN_BEGIN));
  if (*slot != OMEN_NONE)
    return true;
  *slot = 1;
  return false;
}

/* ---- the claim ---- */

static bool
is_access (const hunt *h, omen_eid e)
{
  return omen_kind_class (omen_model_event (h->model, e)->kind)
         == OMEN_CLASS_ACCESS;
}

/* Does another transaction of the cycle come between the first and last event
   of the blamed one? */
static bool
is_entered (const hunt *h, const omen_ids *edges)
{
  uint32_t first = omen_model_position (h->model, edges->data[0]);
  uint32_t last = omen_model_position (h->model, OMEN_VEC_LAST (*edges));
  uint32_t from = omen_model_position (h->model, edges->data[1]);
  uint32_t to = omen_model_position (h->model, edges->data[edges->count - 2]);
  OMEN_ASSERT (first < from && to < last);
  return from < last || first < to;
}

/* Two edges between accesses, there and back, are a violation by the
   definition. */
static bool
cross_claim (const hunt *h, const omen_ids *edges, omen_eid *claim)
{
  const omen_eid *x = edges->data; /* e1 e1' e2' e2 */
  bool two = edges->count == 4 && x[1] != x[2];
  if (edges->count != 4)
    return false;
  for (int i = 0; i < 4; i++)
    if (!is_access (h, x[i]))
      return false;
  claim[0] = omen_atomic_block (h->model, h->chosen, x[0], x[3]);
  claim[1] = x[0];
  claim[2] = x[3];
  claim[3]
      = two ? omen_atomic_block (h->model, h->chosen, x[1], x[2]) : OMEN_NONE;
  claim[4] = x[1];
  claim[5] = x[2];
  return claim[0] != OMEN_NONE && (!two || claim[3] != OMEN_NONE);
}

/* Otherwise the claim is a pattern: these events, in this order. */
static void
pattern_claim (const hunt *h, const omen_ids *edges, omen_ids *claim)
{
  for (size_t i = 0; i < edges->count; i++)
    OMEN_VEC_PUSH (*claim, omen_model_position (h->model, edges->data[i]));
  qsort (claim->data, claim->count, sizeof *claim->data, omen_compare_u32);
  for (size_t i = edges->count, k = claim->count = 0; k < i; k++)
    if (!k || claim->data[k] != OMEN_VEC_LAST (*claim))
      claim->data[claim->count++] = claim->data[k];
  for (size_t i = 0; i < claim->count; i++)
    claim->data[i] = omen_model_nth (h->model, claim->data[i]);
}

/* ---- reports ---- */

/* "cycle: T1:2 -> T2:1, T2:4 -> T1:5" */
static char *
printed_cycle (const hunt *h, const omen_ids *edges)
{
  char text[1024], a[OMEN_EVENT_NAME_MAX], b[OMEN_EVENT_NAME_MAX];
  size_t used = (size_t)snprintf (text, sizeof text, "cycle");
  for (size_t i = 0; i < edges->count && used < sizeof text; i += 2)
    used += (size_t)snprintf (
        text + used, sizeof text - used, "%s %s -> %s", i ? "," : ":",
        omen_trace_event_name (h->model->trace, edges->data[i], a),
        omen_trace_event_name (h->model->trace, edges->data[i + 1], b));
  return omen_strdup (text);
}

static void
blame (const hunt *h, uint32_t block, const omen_ids *edges, omen_ids *out)
{
  omen_eid first = edges->data[0], last = OMEN_VEC_LAST (*edges);
  OMEN_ASSERT (edges->count % 2 == 0 && first < last && !out->count);
  omen_eid open = omen_atomic_block (h->model, h->chosen, first, last);
  for (; open != OMEN_NONE;
       open = omen_atomic_around (h->model, h->chosen, open, last))
    OMEN_VEC_PUSH (*out, open);
  if (!out->count) /* the cycle starts at the begin of the block itself */
    OMEN_VEC_PUSH (*out, h->model->blocks[block].open);
}

static void
report_cycle (hunt *h, uint32_t block, const omen_ids *edges)
{
  omen_eid cross[6];
  omen_ids sequence = { 0 }, claim = { 0 };
  omen_finding finding;
  char *pattern = NULL;
  uint32_t end = 0;
  for (size_t i = 0; i < edges->count; i++) {
    uint32_t at = omen_model_position (h->model, edges->data[i]);
    end = at >= end ? at + 1 : end;
  }
  omen_model_prefix (h->model, end, &sequence);
  if (cross_claim (h, edges, cross)) {
    pattern = omen_atomicity_pattern (h->model->trace, &sequence, edges->data);
    omen_predict_finding (h->model, h->options, OMEN_FINDING_ATOMICITY,
                          OMEN_CLAIM_ATOMICITY, cross, 6, &sequence, &finding);
  } else {
    pattern_claim (h, edges, &claim);
    omen_predict_finding (h->model, h->options, OMEN_FINDING_ATOMICITY,
                          OMEN_CLAIM_PATTERN, claim.data, (uint32_t)claim.count,
                          &sequence, &finding);
  }
  finding.pattern = pattern;
  finding.note = printed_cycle (h, edges);
  blame (h, block, edges, &finding.blame);
  OMEN_VEC_FINI (claim);
  h->go_on = h->sink->found (h->sink->context, &finding);
}

static bool
take_cycle (void *context, uint32_t block, omen_eid e)
{
  hunt *h = context;
  omen_ids edges = { 0 };
  bool found;
  OMEN_ASSERT (h->chosen[block] && h->go_on);
  h->stats->candidates++;
  if (seen_before (h, block, e))
    return true;
  if (!h->graph)
    h->graph = omen_serial_graph_new (h->model, h->chosen);
  /* Prefer edges of data, which explain more than edges of locks; but with
     them the blamed transaction may not be interrupted, and then locks have to
     do. */
  found = omen_serial_cycle (h->graph, e, true, &edges);
  if (!found || !is_entered (h, &edges)) {
    OMEN_VEC_CLEAR (edges);
    found = omen_serial_cycle (h->graph, e, false, &edges);
  }
  OMEN_ASSERT (found && edges.count >= 4 && is_entered (h, &edges));
  report_cycle (h, block, &edges);
  OMEN_VEC_FINI (edges);
  return h->go_on;
}

bool
omen_predict_observed (const omen_model *model,
                       const omen_predict_options *options,
                       const omen_sink *sink, omen_predict_stats *stats)
{
  hunt h = { .model = model,
             .options = options,
             .sink = sink,
             .stats = stats,
             .go_on = true };
  omen_serial_options serial = { .found = take_cycle, .context = &h };
  h.chosen = omen_atomic_blocks (options->atomic, model);
  serial.chosen = h.chosen;
  omen_map_init (&h.seen);
  omen_serial_check (model, &serial);
  omen_map_fini (&h.seen);
  omen_serial_graph_free (h.graph);
  omen_free (h.chosen);
  return h.go_on;
}
