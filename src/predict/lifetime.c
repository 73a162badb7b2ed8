/* Lifetimes: uses of what another thread has freed or destroyed. */
#include "predict/lifetime/ends.h"
#include "predict/lifetime.h"
#include "predict/lifetime/leads.h"
#include "predict/lifetime/bad_reads.h"
#include "base/map.h"

#include <string.h>

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_map reported; /* keys of what was freed and used */
} hunt;

/* Was a use of the freed memory itself reported at the same places? Then a use
   of a pointer to it (`led`) is not. */
static bool
is_reported (hunt *h, const omen_eid *events, bool led)
{
  uint64_t key
      = omen_ends_key (h->model, h->options->group, events[0], events[1]);
  if (led)
    return omen_map_get (&h->reported, key) != OMEN_NONE;
  if (omen_model_event (h->model, events[0])->kind == OMEN_FREE)
    *omen_map_at (&h->reported, key) = 1;
  return false;
}

static bool
report_use (void *context, uint32_t group, const omen_eid *events,
            uint32_t count, uint32_t instances, omen_ids *sequence)
{
  hunt *h = context;
  omen_finding finding;
  (void)group;
  if (is_reported (h, events, count > 2)) {
    OMEN_VEC_FINI (*sequence);
    return true;
  }
  omen_predict_finding (h->model, h->options, OMEN_FINDING_LIFETIME,
                        OMEN_CLAIM_LIFETIME, events, 2, sequence, &finding);
  finding.count = instances;
  return h->sink->found (h->sink->context, &finding);
}

/* ---- addresses that are kept as numbers ---- */

static bool
may_be_address (const omen_model *m, omen_eid e)
{
  const omen_event *event = omen_model_event (m, e);
  unsigned kind = event->value_kind;
  uint64_t value = event->value;
  if (!omen_kind_reads (event->kind))
    return false;
  if (event->kind == OMEN_ATOMIC_RMW) {
    kind = m->trace->rmws.data[event->value].value_kind[0];
    value = m->trace->rmws.data[event->value].value[0];
  }
  return kind == OMEN_VALUE_BIG
         || (kind == OMEN_VALUE_INT
             && ((int64_t)value > 65535 || (int64_t)value < -65535));
}

/* The table of values without those that may be addresses, so that such reads
   have to see the write that they saw. NULL if there are none. */
static uint32_t *
values_without_addresses (const omen_model *m)
{
  uint32_t *values = NULL;
  for (omen_eid e = 0; e < m->event_count; e++) {
    omen_span span;
    if (!may_be_address (m, e))
      continue;
    if (!values) {
      values = omen_alloc (m->slot_count * sizeof *values);
      memcpy (values, m->value, m->slot_count * sizeof *values);
    }
    span = omen_model_atoms (m, e);
    for (uint32_t a = span.first; a < span.first + span.count; a++)
      values[omen_model_read_slot (m, e, a)] = OMEN_NONE;
  }
  return values;
}

/* ---- all of it ---- */

static bool
ask_candidates (hunt *h, omen_inquiry *inquiry, const omen_ends *candidates,
                omen_predict_stats *stats)
{
  omen_asker *asker;
  bool go_on;
  inquiry->candidates = candidates;
  inquiry->groups = omen_ends_groups (candidates);
  if (!inquiry->groups)
    return true;
  asker = omen_asker_new (h->model, h->options, h->sink);
  go_on = omen_asker_run (asker, inquiry, stats);
  omen_asker_free (asker);
  return go_on;
}

bool
omen_predict_lifetime (const omen_model *model,
                       const omen_predict_options *options,
                       const omen_sink *sink, omen_predict_stats *stats)
{
  omen_model plain = *model;
  hunt h = { .model = &plain, .options = options, .sink = sink };
  omen_inquiry inquiry = { .what = "lifetime",
                           .all = options->group == OMEN_GROUP_NONE,
                           .form = OMEN_ASK_AFTER,
                           .enumerate = omen_ends_each,
                           .answered = report_use,
                           .context = &h };
  uint32_t *values = NULL, left_out;
  omen_ends ends, bad_reads, leads;
  bool go_on;
  if (omen_predict_stopped (options))
    return false;
  if (options->model == OMEN_MODEL_LATTICE)
    return omen_predict_lifetime_lattice (model, options, sink, stats);
  omen_ends_init (&ends, model, options->group);
  omen_bad_reads_init (&bad_reads, model, options, &left_out);
  stats->undecided += left_out;
  omen_leads_init (&leads, model, options, &left_out);
  stats->undecided += left_out;
  omen_map_init (&h.reported);
  if ((ends.pairs.count || bad_reads.pairs.count || leads.pairs.count)
      && options->model != OMEN_MODEL_RF)
    values = values_without_addresses (model);
  if (values)
    plain.value = values;
  go_on = ask_candidates (&h, &inquiry, &ends, stats);
  inquiry.form = OMEN_ASK_READS_FROM;
  inquiry.bad = omen_read_is_bad;
  go_on = go_on && ask_candidates (&h, &inquiry, &bad_reads, stats);
  inquiry.all = false;
  go_on = go_on && ask_candidates (&h, &inquiry, &leads, stats);
  omen_map_fini (&h.reported);
  omen_ends_fini (&ends);
  omen_ends_fini (&bad_reads);
  omen_ends_fini (&leads);
  omen_free (values);
  return go_on;
}
