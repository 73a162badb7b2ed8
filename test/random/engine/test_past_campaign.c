/* Traces without their past (recording/events/past.h): what is left is
   well-formed, and every run that the lattice finds of it, after the past as it
   was, is one of the whole trace, as the verifier sees it. Races stand for all
   claims.

     test_past_campaign [COUNT [FIRST SEED]]

   Without COUNT: 5,000 traces, or OMEN_CAMPAIGN=long: 200,000. */
#include "draw.h"
#include "predict/predict.h"
#include "size.h"
#include "recording/events/past.h"
#include "trace/text.h"
#include "io/text_read.h"
#include "witness/verify.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct tally {
  uint64_t traces, wrong, forgotten, stayed, races;
} tally;

typedef struct subject {
  uint64_t seed;
  const omen_trace *whole, *rest;
  omen_verifier *verifier;
  omen_ids origin; /* by event of the rest: its number in the whole */
  uint32_t past;   /* events of the whole that are past */
  uint32_t front;  /* of those of the rest */
  tally *t;
} subject;

static void
complain (const subject *s, const char *what)
{
  printf ("# seed %" PRIu64 ", %u events past: %s\n", s->seed, s->past, what);
  fflush (stdout);
  omen_text_write (s->whole, stdout, NULL);
  if (s->rest) {
    puts ("# without the past:");
    fflush (stdout);
    omen_text_write (s->rest, stdout, NULL);
  }
  s->t->wrong++;
}

/* ---- the rest ---- */

/* Marks tell nothing of the state, but an end needs its begin in a text. */
static const omen_past_filter marks
    = { .kinds = 1ull << OMEN_BEGIN | 1ull << OMEN_END | 1ull << OMEN_ENTER
                 | 1ull << OMEN_EXIT };

static void
drop_inits (omen_trace *trace, const omen_past *past)
{
  size_t left = 0;
  for (size_t i = 0; i < trace->inits.count; i++) {
    omen_init init = trace->inits.data[i];
    if (!omen_past_changed (past, trace->places.data[init.place].variable))
      trace->inits.data[left++] = init;
  }
  trace->inits.count = left;
}

/* What the text of the trace says; takes the trace. */
static omen_trace *
again (omen_trace *trace, omen_err *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  omen_trace *new;
  omen_text_write (trace, out, NULL);
  fclose (out);
  omen_trace_free (trace);
  new = omen_text_parse ("rest", text, size, err);
  free (text); /* open_memstream's */
  return new;
}

/* The trace of the seed without its first `past` events. */
static omen_trace *
forget (subject *s, omen_err *err)
{
  omen_trace *trace = draw_trace (s->seed);
  omen_past_filter request = marks;
  omen_past past;
  omen_ids moved = { 0 };
  request.events = s->past;
  request.most = UINT32_MAX;
  trace->extras.count = 0;
  for (size_t e = 0; e < trace->events.count; e++) {
    trace->events.data[e].mode &= (uint8_t)~OMEN_MODE_EXTRA;
    OMEN_VEC_PUSH (trace->items, 0);
  }
  omen_past_init (&past, &request, trace);
  omen_past_forget (&past, true, &moved);
  OMEN_VEC_CLEAR (s->origin);
  for (uint32_t e = 0; e < s->whole->events.count; e++)
    if (!moved.count || moved.data[e] != OMEN_NONE)
      OMEN_VEC_PUSH (s->origin, e);
  s->front = past.front;
  if (moved.count) /* it may have been less than was asked for */
    for (s->past = 0; s->past < s->whole->events.count
                      && (moved.data[s->past] == OMEN_NONE
                          || moved.data[s->past] < past.front);)
      s->past++;
  else
    s->past = 0;
  s->t->forgotten += past.forgotten;
  s->t->stayed += past.front;
  drop_inits (trace, &past);
  omen_past_fini (&past);
  OMEN_VEC_FINI (moved);
  OMEN_VEC_CLEAR (trace->items);
  return again (trace, err);
}

/* ---- its runs ---- */

/* The past, then what the witness says. */
static void
judge (const subject *s, omen_finding *finding)
{
  omen_witness *w = &finding->witness;
  omen_ids sequence = { 0 };
  omen_err err = { 0 };
  uint32_t front = 0;
  for (size_t i = 0; i < w->sequence.count; i++)
    front += w->sequence.data[i] < s->front;
  if (front != s->front)
    return; /* of the past itself */
  for (uint32_t e = 0; e < s->past; e++)
    OMEN_VEC_PUSH (sequence, e);
  for (size_t i = 0; i < w->sequence.count; i++)
    if (w->sequence.data[i] >= s->front)
      OMEN_VEC_PUSH (sequence, s->origin.data[w->sequence.data[i]]);
  for (size_t i = 0; i < w->claim.events.count; i++)
    w->claim.events.data[i] = s->origin.data[w->claim.events.data[i]];
  OMEN_VEC_FINI (w->sequence);
  w->sequence.data = sequence.data;
  w->sequence.count = sequence.count;
  w->sequence.room = sequence.room;
  w->identity = omen_trace_identity (s->whole);
  w->trace_events = (uint32_t)s->whole->events.count;
  s->t->races++;
  if (!omen_verify (s->verifier, w, &err))
    complain (s, err.what);
}

static bool
take (void *context, omen_finding *finding)
{
  judge (context, finding);
  omen_finding_fini (finding);
  return true;
}

static void
predict (subject *s, const omen_model *model)
{
  omen_predict_options options = { .model = OMEN_MODEL_LATTICE,
                                   .jobs = 1,
                                   .group = OMEN_GROUP_NONE,
                                   .from = s->front,
                                   .identity = omen_trace_identity (s->rest) };
  omen_predict_stats stats = { 0 };
  omen_sink sink = { take, NULL, s };
  omen_predict_race (model, &options, &sink, &stats);
  omen_predict_stats_fini (&stats);
}

/* ---- traces ---- */

/* Of failed operations on semaphores whose count nobody told, the rest does not
   know enough; recordings have none. Where acquires overlap, the trace has
   another order than its file. */
static bool
is_plain (const omen_trace *trace, const omen_model *model)
{
  uint64_t known = 0;
  for (size_t e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    if (event->kind == OMEN_SEM_INIT)
      known |= 1ull << event->object % 64;
    if (event->kind == OMEN_SEM_FAIL && !(known >> event->object % 64 & 1))
      return false;
  }
  return !model->order;
}

static void
one_trace (uint64_t seed, tally *t)
{
  omen_err err = { 0 };
  subject s = { .seed = seed, .t = t };
  omen_trace *whole = draw_trace (seed), *rest = NULL;
  omen_model *model = omen_model_new (whole, &err);
  s.whole = whole;
  s.verifier = omen_verifier_new (whole, &err);
  if (model && s.verifier && is_plain (whole, model)) {
    s.past = (uint32_t)(seed * 7919 % (whole->events.count + 1));
    s.rest = rest = forget (&s, &err);
    omen_model_free (model);
    model = rest ? omen_model_new (rest, &err) : NULL;
    if (model)
      predict (&s, model);
    else
      complain (&s, err.what);
    t->traces++;
  }
  OMEN_VEC_FINI (s.origin);
  omen_verifier_free (s.verifier);
  omen_model_free (model);
  omen_trace_free (rest);
  omen_trace_free (whole);
}

static int
report (const tally *t)
{
  bool enough = t->races * 4 >= t->traces && t->forgotten > 2 * t->traces
                && t->stayed * 20 >= t->traces;
  printf ("# share %" PRIu64 " traces, %" PRIu64 " events forgotten, %" PRIu64
          " stayed, %" PRIu64 " races in what was left\n",
          t->traces, t->forgotten, t->stayed, t->races);
  printf ("%s 1 - runs of the rest are runs of the whole, in %" PRIu64
          " traces\n",
          t->wrong ? "not ok" : "ok", t->traces);
  printf ("%s 2 - there was enough to judge\n", enough ? "ok" : "not ok");
  printf ("%s 3 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t->wrong || !enough || omen_mem_live ();
}

int
main (int argc, char **argv)
{
  uint64_t first;
  uint64_t count = campaign_size (argc, argv, 5000, 200000, &first);
  tally t = { 0 };
  for (uint64_t i = 0; i < count && t.wrong < ENOUGH; i++)
    one_trace (first + i, &t);
  return report (&t);
}
