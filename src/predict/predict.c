#include "predict/predict.h"

#include <string.h>

void
omen_predict_stats_fini (omen_predict_stats *stats)
{
  omen_lattice_counts_fini (&stats->lattice);
}

void
omen_predict_stats_add (omen_predict_stats *sum, const omen_predict_stats *more)
{
  sum->candidates += more->candidates;
  sum->undecided += more->undecided;
  sum->beyond += more->beyond;
  sum->quick_asked += more->quick_asked;
  sum->quick_found += more->quick_found;
  sum->quick_absent += more->quick_absent;
  sum->quick_seconds += more->quick_seconds;
  sum->pattern_asked += more->pattern_asked;
  sum->pattern_machine += more->pattern_machine;
  omen_engine_stats_add (&sum->engine, &more->engine);
}

void
omen_predict_stats_archive (omen_predict_stats *stats, omen_archive *archive)
{
  omen_predict_stats its = { 0 };
  if (!archive->reading)
    omen_predict_stats_add (&its, stats);
  omen_archive_bytes (archive, &its, sizeof its);
  if (archive->reading)
    omen_predict_stats_add (stats, &its);
  else
    *stats = (omen_predict_stats){ .lattice = stats->lattice };
}

void
omen_predict_ids_archive (omen_ids *ids, omen_archive *archive)
{
  size_t count = omen_archive_count (archive, ids->count);
  if (archive->reading) {
    OMEN_ASSERT (!ids->count);
    OMEN_VEC_RESERVE (*ids, count);
    ids->count = count;
  }
  omen_archive_bytes (archive, ids->data, count * sizeof *ids->data);
  if (!archive->reading)
    OMEN_VEC_FINI (*ids);
}

/* Does the sequence consist of a prefix of each thread, in order? */
static bool
is_reordering (const omen_model *model, const omen_ids *sequence)
{
  uint32_t *next = omen_zalloc (model->thread_count, sizeof *next);
  bool good = true;
  for (size_t i = 0; i < sequence->count && good; i++) {
    omen_eid e = sequence->data[i];
    good = e < model->event_count
           && model->trace->index[e] == next[omen_model_thread (model, e)]++;
  }
  omen_free (next);
  return good;
}

void
omen_predict_finding (const omen_model *model,
                      const omen_predict_options *options,
                      omen_finding_kind kind, omen_claim_kind claim,
                      const omen_eid *events, uint32_t count,
                      omen_ids *sequence, omen_finding *finding)
{
  OMEN_REQUIRE (count > 0);
  OMEN_CHECK (is_reordering (model, sequence));
  memset (finding, 0, sizeof *finding);
  finding->kind = kind;
  finding->status = OMEN_STATUS_PREDICTED;
  finding->count = 1;
  omen_witness_init (&finding->witness);
  finding->witness.identity = options->identity;
  finding->witness.trace_events = model->event_count;
  finding->witness.model = options->model;
  finding->witness.claim.kind = claim;
  for (uint32_t i = 0; i < count; i++) {
    OMEN_ASSERT (events[i] == OMEN_NONE || events[i] < model->event_count);
    OMEN_VEC_PUSH (finding->witness.claim.events, events[i]);
  }
  finding->witness.sequence = *sequence;
  *sequence = (omen_ids){ 0 };
}
