/* Races: two conflicting accesses that are both next after one reordering; or
   (race-order) both in one reordering without synchronised order, where atomics
   are too weak to synchronise. */
#include "base/map.h"
#include "model/order_race.h"
#include "predict/pairs.h"
#include "predict/race.h"
#include "predict/race/weak_reads.h"

#include <stdlib.h>

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_pairs *pairs;
  const omen_quick *quick;     /* of the asker at work, or NULL */
  const omen_quick *sync;      /* what is always synchronised, or NULL */
  uint8_t *done;               /* by group: a race was found */
  bool tries;                  /* the trace has failed tries */
  const omen_weak_reads *weak; /* while the trace without them is asked about */
  uint8_t *open;               /* by group: may have races by order */
  uint8_t *kept;     /* by group: … with reads that are weak themselves */
  omen_map reported; /* pairs of events reported, if each is reported */
} hunt;

static bool
report_race (hunt *h, omen_claim_kind claim, const omen_eid *events,
             uint32_t instances, omen_ids *sequence, bool spare)
{
  omen_finding finding;
  if (claim == OMEN_CLAIM_RACE
      && omen_race_is_of_lifetime (h->model, h->options, events)) {
    OMEN_VEC_FINI (*sequence);
    return true;
  }
  char *note
      = claim == OMEN_CLAIM_RACE_ORDER
            ? omen_order_race_note (h->model, sequence, events[0], events[1])
            : NULL;
  omen_predict_finding (h->model, h->options, OMEN_FINDING_RACE, claim, events,
                        2, sequence, &finding);
  finding.note = note;
  finding.count = instances;
  finding.spare = spare;
  return h->sink->found (h->sink->context, &finding);
}

static uint64_t
pair_key (const omen_eid *events)
{
  return events[0] < events[1] ? OMEN_PAIR (events[0], events[1])
                               : OMEN_PAIR (events[1], events[0]);
}

static bool
report_answer (void *context, uint32_t group, const omen_eid *events,
               uint32_t count, uint32_t instances, omen_ids *sequence)
{
  hunt *h = context;
  OMEN_ASSERT (count == 2 && group < omen_pairs_groups (h->pairs));
  h->done[group] = 1;
  if (h->options->group == OMEN_GROUP_NONE)
    *omen_map_at (&h->reported, pair_key (events)) = 1;
  return report_race (h, OMEN_CLAIM_RACE, events, instances, sequence, false);
}

static bool
report_spare (void *context, uint32_t group, const omen_eid *events,
              uint32_t count, uint32_t instances, omen_ids *sequence)
{
  OMEN_ASSERT (count == 2);
  (void)group;
  return report_race (context, OMEN_CLAIM_RACE, events, instances, sequence,
                      true);
}

/* ---- by order ---- */

/* Can a read see this write without synchronising with it: if one is atomic and
   the other plain, or the block was freed? */
static bool
sees_unsynchronised (unsigned read, unsigned write)
{
  if (write == OMEN_FREE)
    return true;
  return (omen_kind_atomic (write) || write == OMEN_WRITE)
         && omen_kind_atomic (read) != omen_kind_atomic (write);
}

/* Does the atom mix plain and atomic accesses? Which write a read saw is not
   enough: under value it may see others. */
static bool
has_mixed_atom (const omen_model *m, uint32_t atom)
{
  bool plain = false, atomic = false;
  for (uint32_t i = m->atoms[atom].first; i < m->atoms[atom + 1].first; i++) {
    omen_eid e = m->accesses[i];
    unsigned kind = omen_model_event (m, e)->kind;
    omen_eid from = omen_kind_reads (kind)
                        ? m->from[omen_model_read_slot (m, e, atom)]
                        : OMEN_NONE;
    atomic |= omen_kind_atomic (kind);
    plain |= kind == OMEN_READ || kind == OMEN_WRITE;
    if (from != OMEN_NONE
        && sees_unsynchronised (kind, omen_model_event (m, from)->kind))
      return true;
  }
  return plain && atomic;
}

static bool
has_failed_tries (const omen_trace *trace)
{
  for (size_t e = 0; e < trace->events.count; e++) {
    unsigned kind = trace->events.data[e].kind;
    if (kind == OMEN_TRY_FAIL || kind == OMEN_READ_TRY_FAIL
        || kind == OMEN_SEM_FAIL)
      return true;
  }
  return false;
}

/* Can a thread observe another one without synchronising with it, by a weak
   atomic, or atomics mixed with plain accesses? If not, and no try failed, then
   all races by order are races. */
static bool
has_weak_signs (const omen_model *m)
{
  const omen_trace *trace = m->trace;
  for (size_t e = 0; e < trace->events.count; e++)
    if (omen_kind_atomic (trace->events.data[e].kind)
        && trace->events.data[e].order != OMEN_ORDER_SC)
      return true;
  for (uint32_t a = 0; a < m->atom_count; a++)
    if (has_mixed_atom (m, a))
      return true;
  return false;
}

/* Filters the pairs on their way to the asker. */
typedef struct passing {
  const hunt *hunt;
  omen_asker_each each;
  void *context;
  uint8_t *flag; /* of the group */
} passing;

/* Are both in critical sections of the same lock word, so that they exclude
   each other? Not under sliced, where such a lock may be acquired while
   held. */
static bool
is_kept_apart (const hunt *h, const omen_eid *events, bool strong)
{
  return h->options->model != OMEN_MODEL_SLICED
         && omen_model_share_word (h->model, events[0], events[1], strong);
}

static bool
ask_apart (void *context, const omen_eid *events, uint32_t count)
{
  const passing *p = context;
  return is_kept_apart (p->hunt, events, false)
         || p->each (p->context, events, count);
}

static void
each_pair (const void *candidates, uint32_t group, omen_asker_each each,
           void *context)
{
  passing p = { candidates, each, context, NULL };
  omen_pairs_each (p.hunt->pairs, p.hunt->quick, group, ask_apart, &p);
}

static bool
ask_both_ways (void *context, const omen_eid *events, uint32_t count)
{
  const passing *p = context;
  omen_eid turned[2] = { events[1], events[0] };
  if (omen_map_get (&p->hunt->reported, pair_key (events)) != OMEN_NONE
      || is_kept_apart (p->hunt, events, true))
    return true;
  return p->each (p->context, events, count)
         && p->each (p->context, turned, count);
}

static void
each_ordered (const void *candidates, uint32_t group, omen_asker_each each,
              void *context)
{
  passing p = { candidates, each, context, NULL };
  if (p.hunt->done[group] && p.hunt->options->group != OMEN_GROUP_NONE)
    return;
  if (!p.hunt->open[group])
    return;
  /* only failed tries order without synchronising */
  if (p.hunt->tries)
    omen_pairs_each_ordered (p.hunt->pairs, group, ask_both_ways, &p);
  else
    omen_pairs_each (p.hunt->pairs, p.hunt->sync, group, ask_both_ways, &p);
}

/* A pair found in both directions is one finding. */
static bool
report_order (void *context, uint32_t group, const omen_eid *events,
              uint32_t count, uint32_t instances, omen_ids *sequence)
{
  hunt *h = context;
  uint32_t *slot = omen_map_at (&h->reported, pair_key (events));
  OMEN_ASSERT (count == 2);
  if (*slot != OMEN_NONE)
    return true;
  *slot = 1;
  return report_race (h, OMEN_CLAIM_RACE_ORDER, events, instances, sequence,
                      false);
}

/* ---- in the trace without its weak reads ---- */

static bool
ask_without (void *context, const omen_eid *events, uint32_t count)
{
  const passing *p = context;
  const uint8_t *gone = p->hunt->weak->gone;
  if (is_kept_apart (p->hunt, events, true))
    return true;
  if (!gone[events[0]] && !gone[events[1]]
      && omen_model_swap (p->hunt->model, events[0], events[1]) == OMEN_NONE)
    return p->each (p->context, events, count);
  *p->flag = 1;
  return true;
}

static void
each_without (const void *candidates, uint32_t group, omen_asker_each each,
              void *context)
{
  const hunt *h = candidates;
  passing p = { h, each, context, &h->kept[group] };
  if (h->open[group])
    omen_pairs_each (h->pairs, h->quick, group, ask_without, &p);
}

static bool
drop_answer (void *context, uint32_t group, const omen_eid *events,
             uint32_t count, uint32_t instances, omen_ids *sequence)
{
  (void)context, (void)group, (void)events, (void)count, (void)instances;
  OMEN_VEC_FINI (*sequence);
  return true;
}

/* Close the groups that have no races by order (race/weak_reads.h). */
static void
close_groups (hunt *h, omen_predict_stats *stats)
{
  uint32_t groups = omen_pairs_groups (h->pairs);
  omen_weak_reads weak;
  if (h->tries || h->options->model == OMEN_MODEL_SLICED
      || !omen_weak_reads_init (&weak, h->model,
                                h->options->model == OMEN_MODEL_RF))
    return;
  uint8_t *fates = omen_zalloc (groups, 1);
  omen_asker *asker = omen_asker_new (weak.model, h->options, h->sink);
  omen_inquiry inquiry = { .what = "race by order",
                           .candidates = h,
                           .groups = groups,
                           .form = OMEN_ASK_NEXT,
                           .enumerate = each_without,
                           .answered = drop_answer,
                           .fates = fates };
  h->kept = omen_zalloc (groups, 1);
  h->weak = &weak;
  h->quick = omen_asker_quick (asker);
  omen_asker_run (asker, &inquiry, stats);
  for (uint32_t g = 0; g < groups; g++)
    h->open[g] &= h->kept[g] || fates[g] != OMEN_ASK_REFUTED;
  omen_asker_free (asker);
  omen_free (h->kept);
  omen_free (fates);
  omen_weak_reads_fini (&weak);
  h->weak = NULL;
}

static bool
open_group (void *context, const omen_eid *events, uint32_t count)
{
  const passing *p = context;
  (void)events, (void)count;
  *p->flag = 1;
  return false;
}

/* Open the groups with a pair that is not always synchronised. */
static bool
open_groups (hunt *h)
{
  bool any = false;
  h->open = omen_zalloc (omen_pairs_groups (h->pairs), 1);
  for (uint32_t g = 0; g < omen_pairs_groups (h->pairs); g++) {
    passing p = { h, NULL, NULL, &h->open[g] };
    if (h->tries)
      h->open[g] = 1;
    else if (!h->done[g] || h->options->group == OMEN_GROUP_NONE)
      omen_pairs_each (h->pairs, h->sync, g, open_group, &p);
    any |= h->open[g];
  }
  return any;
}

static bool
run_inquiry (hunt *h, omen_asker *asker, bool by_order,
             omen_predict_stats *stats)
{
  omen_inquiry inquiry
      = { .what = by_order ? "race by order" : "race",
          .candidates = h,
          .groups = omen_pairs_groups (h->pairs),
          .all = h->options->group == OMEN_GROUP_NONE,
          .form = by_order ? OMEN_ASK_ORDER : OMEN_ASK_NEXT,
          .enumerate = by_order ? each_ordered : each_pair,
          .answered = by_order ? report_order : report_answer,
          .spare = by_order || !h->options->spares ? NULL : report_spare,
          .context = h };
  h->quick = omen_asker_quick (asker);
  return omen_asker_run (asker, &inquiry, stats);
}

bool
omen_predict_race (const omen_model *model, const omen_predict_options *options,
                   const omen_sink *sink, omen_predict_stats *stats)
{
  hunt h = { .model = model, .options = options, .sink = sink };
  omen_asker *asker;
  bool go_on;
  if (omen_predict_stopped (options))
    return false;
  if (options->model == OMEN_MODEL_LATTICE)
    return omen_predict_race_lattice (model, options, sink, stats);
  asker = omen_asker_new (model, options, sink);
  h.pairs
      = omen_pairs_new (model, options->group,
                        omen_predict_deadline (options, options->timeout / 2));
  h.done = omen_zalloc (omen_pairs_groups (h.pairs), 1);
  omen_map_init (&h.reported);
  go_on = run_inquiry (&h, asker, false, stats);
  h.tries = has_failed_tries (model->trace);
  if (go_on && (h.tries || has_weak_signs (model))) {
    omen_quick *sync
        = h.tries || options->engine.z3_only
              ? NULL
              : omen_quick_sync_new (model, omen_predict_preserve (options));
    h.sync = sync;
    if (open_groups (&h)) {
      close_groups (&h, stats);
      go_on = run_inquiry (&h, asker, true, stats);
    }
    omen_quick_free (sync);
  }
  stats->undecided += omen_pairs_cut_short (h.pairs);
  omen_map_fini (&h.reported);
  omen_free (h.open);
  omen_free (h.done);
  omen_pairs_free (h.pairs);
  omen_asker_free (asker);
  return go_on;
}
