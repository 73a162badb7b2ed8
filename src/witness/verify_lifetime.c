/* TRUSTED. Claims of lifetimes: what a thread uses next was ended by another.
 */
#include "witness/verify_state.h"

static bool
places_overlap (const omen_verifier *v, omen_pid x, omen_pid y)
{
  return v->facts.place_first[x] < v->facts.place_end[y]
         && v->facts.place_first[y] < v->facts.place_end[x];
}

/* Reads, writes and frees use a block; its alloc does not. An ext is by code
   that is not woven, of which nothing is known. */
static bool
uses_block (unsigned kind)
{
  return omen_kind_class (kind) == OMEN_CLASS_ACCESS && kind != OMEN_ALLOC
         && kind != OMEN_EXTERNAL;
}

static bool
ends (const omen_verifier *v, omen_eid f, omen_eid a)
{
  omen_pid ended = omen_trace_event (v->trace, f)->object;
  const omen_event *use = omen_trace_event (v->trace, a);
  return uses_block (use->kind) && places_overlap (v, ended, use->object);
}

/* ---- what must not be seen ---- */

static bool
is_number (const omen_event *event, bool zero)
{
  return event->value_kind == OMEN_VALUE_INT && (event->value == 0) == zero;
}

/* Is the write f, seen by a, a null pointer that a's thread then
   dereferences? */
static bool
is_null (const omen_event *f, const omen_event *a)
{
  return (f->kind == OMEN_WRITE || f->kind == OMEN_ATOMIC_WRITE)
         && is_number (f, true) && a->kind == OMEN_READ
         && a->mode & OMEN_MODE_FOLLOWED && a->object == f->object
         && a->value_kind != OMEN_VALUE_NONE && !is_number (a, true);
}

/* Is it an error that a sees f in this atom, of which `pair` is a's pair? */
static bool
must_not_see (const omen_verifier *v, omen_eid f, omen_eid a, size_t pair)
{
  const omen_event *write = omen_trace_event (v->trace, f);
  const omen_event *read = omen_trace_event (v->trace, a);
  if (write->kind == OMEN_WRITE && write->mode & OMEN_MODE_GONE)
    return true;
  if (write->kind == OMEN_ALLOC)
    return write->mode & OMEN_MODE_RAW && v->facts.seen[pair] != f;
  return is_null (write, read);
}

static bool
reads_freed (omen_verifier *v, omen_eid f, omen_eid a)
{
  const omen_event *read = omen_trace_event (v->trace, a);
  size_t pair = v->facts.pair[a];
  if (read->kind != OMEN_READ && read->kind != OMEN_ATOMIC_READ)
    return false;
  for (uint32_t atom = v->facts.place_first[read->object];
       atom < v->facts.place_end[read->object]; atom++, pair++)
    if (omen_state_atom (v, atom)->writer == f && must_not_see (v, f, a, pair))
      return true;
  return false;
}

/* ---- where an address leads ---- */

static bool
points_into (const omen_event *event, omen_vid variable)
{
  return event->value_kind == OMEN_VALUE_POINTER
         && event->value >> 32 == variable;
}

/* Does a, seeing this write, read a pointer to the start of the variable?
   (Values of rmws are not considered.) */
static bool
brings (const omen_verifier *v, omen_eid write, omen_eid a, omen_vid variable)
{
  const omen_event *event;
  if (write == OMEN_NONE)
    return false;
  event = omen_trace_event (v->trace, write);
  return event->object == omen_trace_event (v->trace, a)->object
         && points_into (event, variable) && !(uint32_t)event->value;
}

/* Would a see a pointer to what f frees, and not the one that it saw in the
   trace, which its thread then used or freed? */
static bool
is_led (omen_verifier *v, omen_eid f, omen_eid a)
{
  const omen_event *read = omen_trace_event (v->trace, a);
  const omen_place *ended
      = &v->trace->places.data[omen_trace_event (v->trace, f)->object];
  uint32_t first, end;
  if (read->kind != OMEN_READ || !omen_mode_remarks (read->mode)
      || read->value_kind == OMEN_VALUE_NONE
      || points_into (read, ended->variable))
    return false;
  first = v->facts.place_first[read->object];
  end = v->facts.place_end[read->object];
  for (uint32_t atom = first; atom < end; atom++)
    if (omen_state_atom (v, atom)->writer != omen_state_atom (v, first)->writer)
      return false;
  return brings (v, omen_state_atom (v, first)->writer, a, ended->variable);
}

bool
omen_claim_lifetime (omen_verifier *v, omen_err *err)
{
  omen_eid f = v->witness->claim.events.data[0];
  omen_eid a = v->witness->claim.events.data[1];
  bool frees = omen_trace_event (v->trace, f)->kind == OMEN_FREE;
  char other[OMEN_WITNESS_EVENT_MAX];
  OMEN_ASSERT (v->witness->claim.events.count == 2);
  if (omen_trace_event (v->trace, f)->thread
      == omen_trace_event (v->trace, a)->thread)
    return omen_verify_refuse (v, a, err, "is of the thread that frees");
  if (frees && !ends (v, f, a) && !is_led (v, f, a))
    return omen_verify_refuse (v, a, err, "uses nothing that %s ends",
                               omen_witness_event (v->trace, f, other));
  if (!omen_state_has (v, f))
    return omen_verify_refuse (v, f, err, "is not in the sequence");
  if (!frees && !reads_freed (v, f, a))
    return omen_verify_refuse (v, a, err, "sees nothing of %s that it must not",
                               omen_witness_event (v->trace, f, other));
  return omen_step_enabled (v, a, false, err) && omen_read_goes_on (v, a, err);
}

/* Can the value read be an address, recorded as a number? Numbers below the
   first page that a program can map are none. */
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
