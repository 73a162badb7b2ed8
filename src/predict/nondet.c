/* Nondeterministic reads: each pair of a read and a write that it could see
   instead, in the order of writer, rival and read that doc/semantics.md
   prefers.

   Pairs are handled in portions, so that memory does not grow with their
   number. In each portion all pairs get quick answers first; the engine
   decides the rest, window by window. The findings are the same for any number
   of jobs. */
#include "predict/nondet_hunt.h"
#include "base/now.h"
#include "predict/nondet_kept.h"

#include <stdlib.h>

/* ---- reports ---- */

static void
drop_pair (omen_nondet_pair *p)
{
  omen_free (p->rivals);
  omen_free (p->plan.base);
  OMEN_VEC_FINI (p->sequence);
}

static uint32_t
location_of_read (const omen_nondet_hunt *h, const omen_nondet_pair *p)
{
  return omen_model_event (h->model, p->rivals[0].triple.read)->location;
}

/* How many of the found pairs, from i on, are covered by one report. */
static uint32_t
fold (omen_nondet_hunt *h, size_t i)
{
  uint32_t count = 1, location = location_of_read (h, &h->found.data[i]);
  if (!h->settled)
    return 1;
  OMEN_ASSERT (!h->settled[location + 1]); /* its reads are neighbours */
  h->settled[location + 1] = 1;
  while (i + count < h->found.count
         && location_of_read (h, &h->found.data[i + count]) == location)
    count++;
  return count;
}

static bool
report_pair (omen_nondet_hunt *h, omen_nondet_pair *p, uint32_t count)
{
  omen_eid events[2] = { p->rivals[0].triple.read, p->rivals[0].triple.rival };
  omen_finding finding;
  OMEN_ASSERT (p->verdict == OMEN_FOUND);
  omen_predict_finding (h->model, h->options, OMEN_FINDING_NONDET,
                        OMEN_CLAIM_NONDET, events, 2, &p->sequence, &finding);
  finding.witness.claim.word = p->order;
  finding.writer = p->writer;
  finding.count = count;
  return h->sink->found (h->sink->context, &finding);
}

#define MOST_TRIES 16u

/* Report the first of `count` pairs from i on whose rival keeps its value. */
static bool
report_one (omen_nondet_hunt *h, size_t i, uint32_t count)
{
  for (uint32_t j = 0; j < count && j < MOST_TRIES; j++) {
    omen_nondet_pair *p = &h->found.data[i + j];
    if (p->plan.base)
      omen_plan_sequence (h->model, &p->plan, &p->sequence);
    if (omen_challenger_kept (h->model, &p->sequence, p->rivals[0].triple.rival,
                              h->options->model != OMEN_MODEL_RF))
      return report_pair (h, p, count);
  }
  h->stats->undecided++;
  return true;
}

/* Report the found pairs in order; drop all. Reads are sorted by location, so
   those with a common report are neighbours. */
static bool
hand_over (omen_nondet_hunt *h)
{
  bool go_on = true;
  for (size_t i = 0; i < h->open.count; i++)
    if (h->open.data[i].verdict == OMEN_FOUND)
      OMEN_VEC_PUSH (h->found, h->open.data[i]);
    else {
      h->stats->undecided += h->open.data[i].verdict == OMEN_UNKNOWN;
      drop_pair (&h->open.data[i]);
    }
  OMEN_VEC_SORT (h->found, omen_nondet_by_read);
  for (size_t i = 0, count; go_on && i < h->found.count; i += count) {
    count = fold (h, i);
    go_on = report_one (h, i, (uint32_t)count);
  }
  for (size_t i = 0; i < h->found.count; i++)
    drop_pair (&h->found.data[i]);
  OMEN_VEC_CLEAR (h->found);
  OMEN_VEC_CLEAR (h->open);
  return go_on;
}

/* ---- portions ---- */

#define PORTION OMEN_HARD_OR (7u, 200000u)

/* Choose the next reads, so that they have about PORTION rivals. */
static void
next_portion (omen_nondet_hunt *h)
{
  uint64_t count = 0;
  OMEN_ASSERT (h->end < h->reads.count);
  h->first = h->end;
  while (h->end < h->reads.count && count < PORTION) {
    omen_eid read = h->reads.data[h->end++];
    count += omen_nondet_settled (h, read) ? 0
                                           : omen_rivals_count (h->model, read);
  }
}

static void
skip_portion (omen_nondet_hunt *h)
{
  for (uint32_t i = h->first; i < h->end; i++)
    if (!omen_nondet_settled (h, h->reads.data[i]))
      h->stats->undecided += omen_rivals_count (h->model, h->reads.data[i]) > 1;
}

static bool
run_portions (omen_nondet_hunt *h)
{
  bool go_on = true;
  while (go_on && h->end < h->reads.count) {
    next_portion (h);
    if (omen_is_past (&h->deadline)) {
      skip_portion (h);
      continue;
    }
    omen_nondet_ask_quickly (h);
    omen_nondet_ask_by_window (h);
    go_on = hand_over (h);
    if (h->sink->progress)
      h->sink->progress (h->sink->context, "nondeterminism", h->end,
                         h->reads.count);
  }
  return go_on;
}

/* ---- all of it ---- */

static void
hunt_init (omen_nondet_hunt *h)
{
  h->quick = omen_quick_new (h->model, omen_predict_preserve (h->options));
  h->windows = omen_windows_of (h->model, omen_predict_window (h->options));
  h->deadline = omen_predict_deadline (h->options, h->options->timeout);
  h->jobs = h->options->jobs ? h->options->jobs : 1;
  h->workers = omen_zalloc (h->jobs, sizeof *h->workers);
  for (unsigned i = 0; i < h->jobs; i++) {
    h->workers[i].hunt = h;
    h->workers[i].decider = omen_decider_new (h->model, h->quick, h->options);
  }
  omen_reads_by_location (h->model, &h->reads);
  if (h->options->brief)
    h->settled = omen_zalloc (h->model->trace->locations.count + 1, 1);
}

static void
hunt_fini (omen_nondet_hunt *h)
{
  for (unsigned i = 0; i < h->jobs; i++) {
    omen_nondet_worker *w = &h->workers[i];
    omen_predict_stats_add (h->stats, &w->stats);
    omen_decider_free (w->decider);
    OMEN_VEC_FINI (w->rivals);
    OMEN_VEC_FINI (w->found);
    OMEN_VEC_FINI (w->open);
  }
  omen_free (h->workers);
  omen_free (h->settled);
  omen_window_free (h->view);
  omen_quick_free (h->quick);
  OMEN_VEC_FINI (h->reads);
  OMEN_VEC_FINI (h->found);
  OMEN_VEC_FINI (h->open);
}

bool
omen_predict_nondet (const omen_model *model,
                     const omen_predict_options *options, const omen_sink *sink,
                     omen_predict_stats *stats)
{
  omen_nondet_hunt h
      = { .model = model, .options = options, .sink = sink, .stats = stats };
  bool go_on;
  if (omen_predict_stopped (options))
    return false;
  hunt_init (&h);
  go_on = run_portions (&h);
  hunt_fini (&h);
  return go_on;
}
