/* TRUSTED. Claims of lifetimes: what a thread uses next was ended by another.
 */
#include "witness/verify_state.h"

static bool
overlap (const omen_verifier *v, omen_pid x, omen_pid y)
{
  return v->facts.place_first[x] < v->facts.place_end[y]
         && v->facts.place_first[y] < v->facts.place_end[x];
}

/* Reads, writes and frees use a block; its alloc does not, and what code that
   is not woven does nobody knows. */
static bool
uses_block (unsigned kind)
{
  return omen_kind_class (kind) == OMEN_CLASS_ACCESS && kind != OMEN_ALLOC
         && kind != OMEN_EXTERNAL;
}

static bool
must_end (const omen_verifier *v, omen_eid f, omen_eid a, omen_err *err)
{
  const omen_event *end = omen_trace_event (v->trace, f);
  const omen_event *use = omen_trace_event (v->trace, a);
  char other[OMEN_WITNESS_EVENT_MAX];
  if (end->thread == use->thread)
    return omen_verify_refuse (v, a, err, "is of the thread that frees");
  if (end->kind != OMEN_FREE)
    return omen_verify_refuse (v, f, err, "ends nothing");
  return (uses_block (use->kind) && overlap (v, end->object, use->object))
         || omen_verify_refuse (v, a, err, "uses nothing that %s ends",
                                omen_witness_event (v->trace, f, other));
}

bool
omen_claim_lifetime (omen_verifier *v, omen_err *err)
{
  const omen_eid *e = v->witness->claim.events.data;
  OMEN_ASSERT (v->witness->claim.events.count == 2);
  if (!must_end (v, e[0], e[1], err))
    return false;
  if (!omen_state_has (v, e[0]))
    return omen_verify_refuse (v, e[0], err, "is not in the sequence");
  return omen_step_enabled (v, e[1], false, err)
         && omen_read_goes_on (v, e[1], err);
}

/* What the read saw may be an address, kept as a number: below the first page
   that a program can have there is none. */
static bool
may_be_address (const omen_trace *trace, const omen_event *read)
{
  const omen_rmw *rmw
      = read->kind == OMEN_ATOMIC_RMW ? &trace->rmws.data[read->value] : NULL;
  unsigned kind = rmw ? rmw->value_kind[0] : read->value_kind;
  int64_t value = (int64_t)(rmw ? rmw->value[0] : read->value);
  return kind == OMEN_VALUE_BIG
         || (kind == OMEN_VALUE_INT && (value > 65535 || value < -65535));
}

bool
omen_lifetime_wants_write (const omen_verifier *v, omen_eid read)
{
  return v->witness->claim.kind == OMEN_CLAIM_LIFETIME
         && may_be_address (v->trace, omen_trace_event (v->trace, read));
}
