/* TRUSTED. Claims of misuse: the trace itself, up to the event, is the proof.
 */
#include "witness/verify_state.h"

bool
omen_verify_is_trace (const omen_verifier *v, uint32_t count, omen_err *err)
{
  const omen_ids *sequence = &v->witness->sequence;
  if (sequence->count != count)
    return omen_err_set (err, "",
                         "claim: it is about the first %u events of the trace, "
                         "the sequence has %zu",
                         count, sequence->count);
  for (uint32_t i = 0; i < count; i++)
    if (sequence->data[i] != omen_facts_nth (&v->facts, i))
      return omen_verify_refuse (v, sequence->data[i], err,
                                 "step %u is out of "
                                 "the order of the trace",
                                 i);
  return true;
}

static bool
must_be_trace_before (const omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_ids *sequence = &v->witness->sequence;
  uint32_t rank = omen_facts_rank (&v->facts, e);
  OMEN_ASSERT (rank < v->trace->events.count);
  if (sequence->count != rank)
    return omen_verify_refuse (v, e, err,
                               "%u events of the trace precede it, "
                               "the sequence has %zu",
                               rank, sequence->count);
  return omen_verify_is_trace (v, rank, err);
}

/* A req without an acquire after it, of a lock that its thread holds. One that
   is marked stuck is a claim of its own. */
static bool
asks_for_own (const omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  uint32_t index = v->trace->index[e];
  OMEN_ASSERT (event->kind == OMEN_REQUEST);
  return !(event->mode & OMEN_MODE_STUCK)
         && index + 1 == v->trace->threads.data[event->thread].count
         && omen_facts_holds (&v->facts, event->thread, index, event->object,
                              true);
}

static bool
taken_twice (const omen_verifier *v, omen_eid e)
{
  switch (omen_trace_event (v->trace, e)->kind) {
  case OMEN_ACQUIRE:
    return v->facts.flags[e] & (OMEN_FACT_NESTED | OMEN_FACT_CROSSED);
  case OMEN_READ_ACQUIRE:
    return v->facts.flags[e] & OMEN_FACT_CROSSED;
  case OMEN_REQUEST:
    return asks_for_own (v, e);
  default:
    return false;
  }
}

/* destroy(l) while a thread holds l. */
static bool
destroyed_held (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_lid lock = event->object;
  if (event->kind != OMEN_DESTROY)
    return false;
  for (omen_tid t = 0; t < v->trace->threads.count; t++) {
    uint32_t done = omen_state_thread (v, t)->done;
    if (omen_facts_holds (&v->facts, t, done, lock, true)
        || omen_facts_holds (&v->facts, t, done, lock, false))
      return true;
  }
  return false;
}

static bool
does (omen_verifier *v, omen_eid e, omen_misuse word)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  bool unheld = v->facts.flags[e] & OMEN_FACT_UNHELD;
  switch (word) {
  case OMEN_MISUSE_TAKEN_TWICE:
    return taken_twice (v, e);
  case OMEN_MISUSE_NOT_HOLDER:
    return unheld
           && (event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE);
  case OMEN_MISUSE_DESTROYED_HELD:
    return destroyed_held (v, e);
  case OMEN_MISUSE_WAIT_WITHOUT_LOCK:
    return unheld && event->kind == OMEN_WAIT;
  case OMEN_MISUSE_HELD_AT_EXIT:
    return event->kind == OMEN_ENDED
               ? v->facts.ends_held[event->thread]
                     && v->trace->index[e] + 1
                            == v->trace->threads.data[event->thread].count
               : event->kind == OMEN_JOIN && v->facts.ends_held[event->object];
  default:
    OMEN_ASSERT (!"a word of misuse");
    return false;
  }
}

bool
omen_claim_misuse (omen_verifier *v, omen_err *err)
{
  const omen_claim *claim = &v->witness->claim;
  omen_eid e = claim->events.data[0];
  OMEN_ASSERT (claim->kind == OMEN_CLAIM_MISUSE && claim->events.count == 1);
  return must_be_trace_before (v, e, err)
         && (does (v, e, claim->word)
             || omen_verify_refuse (v, e, err, "this is not %s",
                                    omen_misuse_text (claim->word)));
}
