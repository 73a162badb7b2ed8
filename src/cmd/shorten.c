#include "cmd/shorten.h"

#include <string.h>

/* A stretch of the first sequence, all of one thread. */
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
  uint64_t steps;  /* that may still be judged */
} shortening;

static void
cut_into_runs (shortening *s)
{
  for (size_t i = 0; i < s->events.count; i++) {
    omen_tid t = omen_trace_event (s->trace, s->events.data[i])->thread;
    if (s->best.count && OMEN_VEC_LAST (s->best).thread == t)
      OMEN_VEC_LAST (s->best).count++;
    else
      OMEN_VEC_PUSH (s->best, ((run){ t, i, 1 }));
  }
  OMEN_ASSERT (s->best.count <= s->events.count);
}

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

/* Is the trial a witness, too? Then it is the best. */
static bool
accepted (shortening *s)
{
  omen_err why = { 0 };
  write_sequence (s, &s->trial);
  if (s->steps < s->witness->sequence.count + 1)
    return false;
  s->steps -= s->witness->sequence.count + 1;
  if (!omen_verify (s->verifier, s->witness, &why))
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

static bool
is_last_of_thread (const runs *list, size_t at)
{
  for (size_t i = at + 1; i < list->count; i++)
    if (list->data[i].thread == list->data[at].thread)
      return false;
  return true;
}

static void
leave_out (shortening *s)
{
  for (size_t i = s->best.count; i-- > 0 && s->steps;)
    if (i < s->best.count && is_last_of_thread (&s->best, i)) {
      copy_runs (&s->trial, &s->best);
      take_out (&s->trial, i);
      accepted (s);
    }
}

/* The next run of i's thread, or the number of runs. */
static size_t
next_of_thread (const runs *list, size_t i)
{
  size_t j = i + 1;
  while (j < list->count && list->data[j].thread != list->data[i].thread)
    j++;
  return j;
}

/* Runs i and j of one thread side by side: j after i, or i before j. */
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

/* Neighbours of one thread count as one run, though they stay two here. */
static void
move_together (shortening *s)
{
  for (size_t i = 0; i < s->best.count && s->steps; i++) {
    size_t j = next_of_thread (&s->best, i);
    if (j > i + 1 && j < s->best.count && joined (s, i, j))
      i -= i > 0;
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
  for (size_t i = 0; i < witness->sequence.count; i++)
    OMEN_VEC_PUSH (s.events, witness->sequence.data[i]);
  cut_into_runs (&s);
  leave_out (&s);
  move_together (&s);
  write_sequence (&s, &s.best);
  OMEN_CHECK (omen_verify (verifier, witness, &(omen_err){ 0 }));
  OMEN_VEC_FINI (s.events);
  OMEN_VEC_FINI (s.best);
  OMEN_VEC_FINI (s.trial);
}
