#include "driver/shorten.h"
#include "driver/reorder.h"

#include <string.h>

/* Shorter schedules are simplified completely; of longer ones users read the
   end. */
#define FEW_RUNS 64u

/* A slice of the first sequence. */
typedef struct run {
  omen_tid thread;
  size_t first, count;
} run;
typedef OMEN_VEC (run) runs;

typedef struct shortening {
  omen_verifier *verifier;
  const omen_trace *trace;
  omen_witness *witness;
  omen_ids events; /* the first sequence */
  runs best, trial;
  uint64_t steps; /* events that may still be verified */
} shortening;

static void
write_sequence (shortening *s, const runs *list)
{
  omen_ids *sequence = &s->witness->sequence;
  OMEN_VEC_CLEAR (*sequence);
  for (size_t i = 0; i < list->count; i++)
    for (size_t k = 0; k < list->data[i].count; k++)
      OMEN_VEC_PUSH (*sequence, s->events.data[list->data[i].first + k]);
  OMEN_ASSERT (sequence->count <= s->events.count);
}

static void
copy_runs (runs *to, const runs *from)
{
  OMEN_VEC_CLEAR (*to);
  for (size_t i = 0; i < from->count; i++)
    OMEN_VEC_PUSH (*to, from->data[i]);
}

/* Does the witness hold, or is its claim one that the verifier cannot judge? */
static bool
is_witness (omen_verifier *verifier, const omen_witness *witness)
{
  omen_err why = { 0 };
  return omen_verify (verifier, witness, &why)
         || omen_verify_refusal (verifier) == OMEN_REFUSED_UNJUDGED;
}

/* If the trial is a witness, too, make it the best. */
static bool
accepted (shortening *s)
{
  write_sequence (s, &s->trial);
  if (s->steps < s->witness->sequence.count + 1)
    return false;
  s->steps -= s->witness->sequence.count + 1;
  if (!is_witness (s->verifier, s->witness))
    return false;
  copy_runs (&s->best, &s->trial);
  return true;
}

static run
take_out (runs *list, size_t at)
{
  run out;
  OMEN_REQUIRE (at < list->count);
  out = list->data[at];
  memmove (list->data + at, list->data + at + 1,
           (list->count - at - 1) * sizeof *list->data);
  list->count--;
  return out;
}

static void
put_in (runs *list, size_t at, run new)
{
  OMEN_REQUIRE (at <= list->count);
  OMEN_VEC_PUSH (*list, new);
  memmove (list->data + at + 1, list->data + at,
           (list->count - at - 1) * sizeof *list->data);
  list->data[at] = new;
}

/* ---- a new order, at one stroke ---- */

static size_t
count_runs (const omen_trace *trace, const omen_ids *sequence)
{
  omen_tid last = OMEN_NONE;
  size_t count = 0;
  for (size_t i = 0; i < sequence->count; i++) {
    omen_tid t = omen_trace_event (trace, sequence->data[i])->thread;
    count += t != last;
    last = t;
  }
  return count;
}

static void
copy_ids (omen_ids *to, const omen_ids *from)
{
  OMEN_VEC_CLEAR (*to);
  for (size_t i = 0; i < from->count; i++)
    OMEN_VEC_PUSH (*to, from->data[i]);
}

/* Is another order than the observed one worthwhile? For long schedules only if
   it is much shorter, since reports abbreviate what is as observed. */
static bool
is_better (const shortening *s, const omen_ids *trial)
{
  size_t after = count_runs (s->trace, trial);
  size_t before = count_runs (s->trace, &s->events);
  return after <= FEW_RUNS ? after < before || trial->count < s->events.count
                           : after < before / 2;
}

/* Try another order; s->events and the witness get the better one. */
static bool
reordered (shortening *s, bool needed_only)
{
  omen_ids *sequence = &s->witness->sequence, trial = { 0 };
  omen_err why = { 0 };
  bool holds = false;
  omen_reorder (s->trace, s->witness, needed_only, &trial);
  if (is_better (s, &trial)) {
    copy_ids (sequence, &trial);
    holds = omen_verify (s->verifier, s->witness, &why);
    copy_ids (holds ? &s->events : sequence, holds ? &trial : &s->events);
  }
  OMEN_VEC_FINI (trial);
  return holds;
}

/* ---- piece by piece ---- */

static bool
is_last_of_thread (const runs *list, size_t at)
{
  for (size_t i = at + 1; i < list->count; i++)
    if (list->data[i].thread == list->data[at].thread)
      return false;
  return true;
}

/* The next slice of i's thread, or the number of slices. */
static size_t
next_of_thread (const runs *list, size_t i)
{
  size_t j = i + 1;
  while (j < list->count && list->data[j].thread != list->data[i].thread)
    j++;
  return j;
}

/* Try to put slices i and j of one thread next to each other: j after i, or i
   before j. */
static bool
joined (shortening *s, size_t i, size_t j)
{
  OMEN_REQUIRE (i < j && j < s->best.count);
  OMEN_REQUIRE (s->best.data[i].thread == s->best.data[j].thread);
  copy_runs (&s->trial, &s->best);
  put_in (&s->trial, i + 1, take_out (&s->trial, j));
  if (accepted (s))
    return true;
  copy_runs (&s->trial, &s->best);
  put_in (&s->trial, j - 1, take_out (&s->trial, i));
  return accepted (s);
}

/* Adjacent slices of one thread count as one, though they remain separate
   here. */
static void
move_together (shortening *s)
{
  size_t first = s->best.count > FEW_RUNS ? s->best.count - FEW_RUNS : 0;
  for (size_t i = first; i < s->best.count && s->steps; i++) {
    size_t j = next_of_thread (&s->best, i);
    if (j > i + 1 && j < s->best.count && joined (s, i, j))
      i -= i > first;
  }
}

void
omen_shorten (omen_verifier *verifier, const omen_trace *trace,
              omen_witness *witness)
{
  shortening s = { .verifier = verifier,
                   .trace = trace,
                   .witness = witness,
                   .steps = OMEN_SHORTEN_STEPS };
  if (witness->claim.kind == OMEN_CLAIM_MISUSE)
    return; /* its witness is the observed run */
  copy_ids (&s.events, &witness->sequence);
  if (!reordered (&s, true))
    reordered (&s, false);
  for (size_t i = 0; i < s.events.count; i++) {
    omen_tid t = omen_trace_event (s.trace, s.events.data[i])->thread;
    if (s.best.count && OMEN_VEC_LAST (s.best).thread == t)
      OMEN_VEC_LAST (s.best).count++;
    else
      OMEN_VEC_PUSH (s.best, ((run){ t, i, 1 }));
  }
  OMEN_ASSERT (s.best.count <= s.events.count);
  for (size_t i = s.best.count; i-- > 0 && s.steps;)
    if (i < s.best.count && is_last_of_thread (&s.best, i)) {
      copy_runs (&s.trial, &s.best);
      take_out (&s.trial, i);
      accepted (&s);
    }
  if (s.best.count <= FEW_RUNS
      || omen_witness_observed (witness) < witness->sequence.count)
    move_together (&s);
  write_sequence (&s, &s.best);
  OMEN_CHECK (is_witness (verifier, witness));
  OMEN_VEC_FINI (s.events);
  OMEN_VEC_FINI (s.best);
  OMEN_VEC_FINI (s.trial);
}
