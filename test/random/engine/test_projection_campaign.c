/* Traces cut down to a few variables (online/projection.h): what is left is
   well-formed, and every run that the lattice finds of it is one of the whole
   trace, as the verifier sees it. Races stand for all claims.

     test_projection_campaign [COUNT [FIRST SEED]]

   Without COUNT: 8,000 traces, or OMEN_CAMPAIGN=long: 200,000. */
#include "draw.h"
#include "predict/predict.h"
#include "size.h"
#include "online/projection.h"
#include "trace/text.h"
#include "trace/wellformed.h"
#include "witness/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct tally {
  uint64_t traces, projection, wrong, events, stayed, races;
} tally;

typedef struct subject {
  uint64_t seed;
  const omen_trace *whole;
  const omen_projection *projection;
  omen_verifier *verifier;
  tally *t;
} subject;

static void
complain (const subject *s, const char *what)
{
  printf ("# seed %" PRIu64 ": %s\n", s->seed, what);
  fflush (stdout);
  omen_text_write (s->whole, stdout, NULL);
  if (s->projection) {
    puts ("# projection:");
    fflush (stdout);
    omen_text_write (s->projection->trace, stdout, NULL);
  }
  s->t->wrong++;
}

/* About every other variable. */
static bool
is_named (const void *context, const char *name)
{
  const subject *s = context;
  uint64_t sum = s->seed;
  for (; *name; name++)
    sum = sum * 31 + (uint8_t)*name;
  return sum / 7 % 2;
}

/* ---- its runs ---- */

static int
compare (const void *left, const void *right)
{
  omen_eid a = *(const omen_eid *)left, b = *(const omen_eid *)right;
  return a < b ? -1 : a > b;
}

static void
copy (const omen_ids *from, omen_ids *to)
{
  for (size_t i = 0; i < from->count; i++)
    OMEN_VEC_PUSH (*to, from->data[i]);
}

/* The sequence, then all that must come before the two events of the claim, as
   it was. */
static void
lead_up (const subject *s, const omen_witness *w, omen_ids *sequence)
{
  uint8_t *there = omen_zalloc (s->whole->events.count, 1);
  size_t start;
  copy (&w->sequence, sequence);
  omen_projection_lift (s->projection, sequence);
  start = sequence->count;
  for (size_t i = 0; i < start; i++)
    there[sequence->data[i]] = 1;
  for (size_t k = 0; k < w->claim.events.count; k++) {
    omen_ids more = { 0 };
    copy (&w->sequence, &more);
    OMEN_VEC_PUSH (more, w->claim.events.data[k]);
    omen_projection_lift (s->projection, &more);
    for (size_t i = start; i + 1 < more.count; i++)
      if (!there[more.data[i]]) {
        there[more.data[i]] = 1;
        OMEN_VEC_PUSH (*sequence, more.data[i]);
      }
    OMEN_VEC_FINI (more);
  }
  if (sequence->count > start)
    qsort (sequence->data + start, sequence->count - start,
           sizeof *sequence->data, compare);
  omen_free (there);
}

static bool
take (void *context, omen_finding *finding)
{
  subject *s = context;
  omen_witness *w = &finding->witness;
  omen_ids sequence = { 0 };
  omen_err err = { 0 };
  lead_up (s, w, &sequence);
  OMEN_VEC_FINI (w->sequence);
  w->sequence = sequence;
  for (size_t i = 0; i < w->claim.events.count; i++)
    w->claim.events.data[i]
        = s->projection->origin.data[w->claim.events.data[i]];
  w->identity = omen_trace_identity (s->whole);
  w->trace_events = (uint32_t)s->whole->events.count;
  s->t->races++;
  if (!omen_verify (s->verifier, w, &err))
    complain (s, err.what);
  omen_finding_fini (finding);
  return true;
}

static void
predict (subject *s, const omen_model *model)
{
  omen_predict_options options
      = { .model = OMEN_MODEL_LATTICE,
          .jobs = 1,
          .group = OMEN_GROUP_NONE,
          .identity = omen_trace_identity (s->projection->trace) };
  omen_predict_stats stats = { 0 };
  omen_sink sink = { take, NULL, s };
  omen_predict_race (model, &options, &sink, &stats);
  omen_predict_stats_fini (&stats);
}

/* ---- traces ---- */

static void
judge (subject *s)
{
  omen_err err = { 0 };
  const omen_trace *trace = s->projection->trace;
  omen_model *model = omen_wellformed (trace, NULL, &err)
                          ? omen_model_new (trace, &err)
                          : NULL;
  s->t->projection++;
  s->t->events += s->whole->events.count;
  s->t->stayed += trace->events.count;
  if (model)
    predict (s, model);
  else
    complain (s, err.what);
  omen_model_free (model);
}

/* Where acquires overlap, the trace has another order than its file. */
static void
one_trace (uint64_t seed, tally *t)
{
  omen_err err = { 0 };
  subject s = { .seed = seed, .t = t };
  static const uint64_t kinds[]
      = { 0, 1ull << OMEN_FREE, 1ull << OMEN_ALLOC | 1ull << OMEN_FREE };
  omen_past_filter request
      = { .kinds = kinds[seed % 3], .variable = is_named, .context = &s };
  omen_trace *whole = draw_trace (seed);
  omen_model *model = omen_model_new (whole, &err);
  s.whole = whole;
  s.verifier = omen_verifier_new (whole, &err);
  if (model && s.verifier && !model->order) {
    omen_projection *projection = omen_projection_new (whole, &request);
    t->traces++;
    s.projection = projection;
    if (projection)
      judge (&s);
    omen_projection_free (projection);
  }
  omen_verifier_free (s.verifier);
  omen_model_free (model);
  omen_trace_free (whole);
}

static int
report (const tally *t)
{
  bool enough = t->projection * 4 >= t->traces && t->races * 10 >= t->projection
                && t->stayed < t->events;
  printf ("# share %" PRIu64 " traces, %" PRIu64 " of them projection, %" PRIu64
          " of %" PRIu64 " events left, %" PRIu64 " races\n",
          t->traces, t->projection, t->stayed, t->events, t->races);
  printf ("%s 1 - runs of what is left are runs of the whole, in %" PRIu64
          " traces\n",
          t->wrong ? "not ok" : "ok", t->projection);
  printf ("%s 2 - there was enough to judge\n", enough ? "ok" : "not ok");
  printf ("%s 3 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t->wrong || !enough || omen_mem_live ();
}

int
main (int argc, char **argv)
{
  uint64_t first;
  uint64_t count = campaign_size (argc, argv, 8000, 200000, &first);
  tally t = { 0 };
  for (uint64_t i = 0; i < count && t.wrong < ENOUGH; i++)
    one_trace (first + i, &t);
  return report (&t);
}
