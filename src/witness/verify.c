/* TRUSTED. One walk over the sequence, then the claim. */
#include "witness/verify_state.h"

bool
omen_verify_refuse (const omen_verifier *v, omen_eid e, omen_err *err,
                    const char *format, ...)
{
  char event[OMEN_WITNESS_EVENT_MAX], reason[256], step[32] = "claim";
  va_list args;
  va_start (args, format);
  vsnprintf (reason, sizeof reason, format, args);
  va_end (args);
  if (v->judging_trace)
    return omen_facts_refuse (v->trace, e, err, "%s", reason);
  if (v->step != OMEN_NONE)
    snprintf (step, sizeof step, "step %u", v->step);
  return omen_err_set (err, "", "%s: %s: %s", step,
                       omen_witness_event (v->trace, e, event), reason);
}

static bool
take_step (omen_verifier *v, omen_eid e, omen_err *err)
{
  OMEN_ASSERT (v->witness && e < v->trace->events.count);
  if (!omen_step_enabled (v, e, false, err) || !omen_read_goes_on (v, e, err))
    return false;
  omen_claim_step (v, e);
  if (!omen_read_access (v, e, err))
    return false;
  omen_step_apply (v, e);
  return true;
}

static void
begin_witness (omen_verifier *v, const omen_witness *witness)
{
  OMEN_ASSERT (!v->witness && !v->judging_trace);
  v->witness = witness;
  v->epoch++;
  OMEN_ASSERT (v->epoch > 0);
  v->step = 0;
  v->rival_before = false;
  OMEN_VEC_CLEAR (v->rivals);
  OMEN_VEC_CLEAR (v->services);
}

/* Every event of every thread is in σ. */
static bool
all_done (omen_verifier *v)
{
  for (omen_tid t = 0; t < v->trace->threads.count; t++)
    if (omen_state_thread (v, t)->done != v->trace->threads.data[t].count)
      return false;
  return true;
}

/* The trace itself must be one of its reorderings, with the value of every read
   explained: this finds what the facts do not check. */
static bool
judge_trace (omen_verifier *v, omen_err *err)
{
  omen_witness itself;
  bool ok = true;
  omen_witness_init (&itself);
  itself.model = OMEN_MODEL_VALUE;
  itself.claim.kind = OMEN_CLAIM_PATTERN;
  begin_witness (v, &itself);
  v->judging_trace = true;
  for (uint32_t i = 0; ok && i < v->trace->events.count; i++) {
    omen_eid e = omen_facts_nth (&v->facts, i);
    v->step = i;
    ok = take_step (v, e, err)
         && omen_read_goes_on (v, e, err); /* e's own reading */
  }
  OMEN_ASSERT (!ok || all_done (v));
  v->judging_trace = false;
  v->witness = NULL;
  omen_witness_fini (&itself);
  return ok;
}

/* Allocate the state, whose sizes depend on the facts. */
static void
make_state (omen_verifier *v)
{
  const omen_trace *trace = v->trace;
  const omen_names *names = trace->names;
  v->threads = omen_zalloc (trace->threads.count + 1, sizeof *v->threads);
  v->locks = omen_zalloc (names[OMEN_OPERAND_LOCK].count + 1, sizeof *v->locks);
  v->semaphores = omen_zalloc (names[OMEN_OPERAND_SEMAPHORE].count + 1,
                               sizeof *v->semaphores);
  v->objects
      = omen_zalloc (names[OMEN_OPERAND_OBJECT].count + 1, sizeof *v->objects);
  v->conditions = omen_zalloc (names[OMEN_OPERAND_CONDITION].count + 1,
                               sizeof *v->conditions);
  v->rounds = omen_zalloc (v->facts.rounds.count + 1, sizeof *v->rounds);
  v->atoms = omen_zalloc (v->facts.atoms.count + 1, sizeof *v->atoms);
}

omen_verifier *
omen_verifier_new (const omen_trace *trace, omen_err *err)
{
  omen_verifier *v = omen_zalloc (1, sizeof *v);
  bool ok;
  OMEN_REQUIRE (trace->index || !trace->events.count); /* sealed */
  v->trace = trace;
  ok = omen_facts_init (&v->facts, trace, err);
  make_state (v);
  if (ok && judge_trace (v, err))
    return v;
  omen_verifier_free (v);
  return NULL;
}

omen_verifier *
omen_verifier_share (const omen_verifier *verifier)
{
  omen_verifier *v = omen_zalloc (1, sizeof *v);
  OMEN_REQUIRE (!verifier->shares);
  v->trace = verifier->trace;
  v->facts = verifier->facts;
  v->shares = true;
  for (size_t i = 0; i < verifier->properties.count; i++)
    OMEN_VEC_PUSH (v->properties, verifier->properties.data[i]);
  make_state (v);
  return v;
}

void
omen_verifier_free (omen_verifier *v)
{
  if (!v)
    return;
  for (size_t c = 0; c < v->trace->names[OMEN_OPERAND_CONDITION].count; c++) {
    OMEN_VEC_FINI (v->conditions[c].ones);
    OMEN_VEC_FINI (v->conditions[c].alls);
  }
  omen_slice_free (v->slice);
  omen_reach_free (v->reach, v->trace);
  if (!v->shares)
    omen_facts_fini (&v->facts);
  omen_free (v->threads);
  omen_free (v->locks);
  omen_free (v->semaphores);
  omen_free (v->rounds);
  omen_free (v->objects);
  omen_free (v->conditions);
  omen_free (v->atoms);
  omen_free (v->readers);
  omen_free (v->initial_readers);
  OMEN_VEC_FINI (v->services);
  OMEN_VEC_FINI (v->rivals);
  OMEN_VEC_FINI (v->properties);
  omen_free (v);
}

void
omen_verifier_properties (omen_verifier *v, const omen_property_file *file)
{
  OMEN_REQUIRE ((file->properties && file->written) || !file->count);
  OMEN_VEC_PUSH (v->properties, *file);
}

omen_refusal
omen_verify_refusal (const omen_verifier *v)
{
  return v->refusal;
}

static bool
check_ids (const omen_verifier *v, const omen_ids *sequence, omen_err *err)
{
  for (size_t i = 0; i < sequence->count; i++)
    if (sequence->data[i] >= v->trace->events.count)
      return omen_err_set (err, "", "step %zu: the trace has no event %u", i,
                           sequence->data[i]);
  return sequence->count < OMEN_NONE
         || omen_err_set (err, "", "the sequence is too long");
}

/* σ as the state has it is the part of the sequence walked so far. */
static bool
state_fits (omen_verifier *v, size_t steps)
{
  size_t done = 0;
  for (omen_tid t = 0; t < v->trace->threads.count; t++)
    done += omen_state_thread (v, t)->done;
  return done == steps;
}

static bool
walk_sequence (omen_verifier *v, omen_err *err)
{
  const omen_ids *sequence = &v->witness->sequence;
  for (size_t i = 0; i < sequence->count; i++) {
    v->step = (uint32_t)i;
    if (!take_step (v, sequence->data[i], err))
      return false;
  }
  OMEN_CHECK (state_fits (v, sequence->count));
  v->step = OMEN_NONE;
  return omen_claim_holds (v, err);
}

bool
omen_verify (omen_verifier *v, const omen_witness *witness, omen_err *err)
{
  bool ok;
  OMEN_REQUIRE (v && !v->witness && witness);
  begin_witness (v, witness);
  v->refusal = OMEN_REFUSED;
  ok = omen_claim_shape (v, err) && check_ids (v, &witness->sequence, err);
  if (ok) {
    omen_slice_begin (v);
    ok = walk_sequence (v, err);
    omen_slice_end (v);
  }
  if (ok)
    v->refusal = OMEN_REFUSED_NOT_AT_ALL;
  v->witness = NULL;
  return ok;
}
