/* TRUSTED. The claims of section 4, given that σ keeps the rules. */
#include "witness/verify_property.h"
#include "witness/verify_state.h"

static const omen_eid *
claimed (const omen_verifier *v)
{
  return v->witness->claim.events.data;
}

/* Accesses of different threads that overlap, one of them a write; alloc and
   ext never take part. */
static bool
events_conflict (omen_verifier *v, omen_eid a, omen_eid b)
{
  const omen_event *x = omen_trace_event (v->trace, a);
  const omen_event *y = omen_trace_event (v->trace, b);
  if (omen_kind_class (x->kind) != OMEN_CLASS_ACCESS
      || omen_kind_class (y->kind) != OMEN_CLASS_ACCESS || x->kind == OMEN_ALLOC
      || x->kind == OMEN_EXTERNAL || y->kind == OMEN_ALLOC
      || y->kind == OMEN_EXTERNAL)
    return false;
  if (x->thread == y->thread)
    return false;
  if (!omen_read_writes (v, a) && !omen_read_writes (v, b))
    return false;
  return v->facts.place_first[x->object] < v->facts.place_end[y->object]
         && v->facts.place_first[y->object] < v->facts.place_end[x->object];
}

static bool
must_conflict (omen_verifier *v, omen_eid a, omen_eid b, omen_err *err)
{
  char other[OMEN_WITNESS_EVENT_MAX];
  return events_conflict (v, a, b)
         || omen_verify_refuse (v, a, err, "does not conflict with %s",
                                omen_witness_event (v->trace, b, other));
}

/* The step of e in σ, or OMEN_NONE. */
static uint32_t
step_of (const omen_verifier *v, omen_eid e)
{
  const omen_ids *sequence = &v->witness->sequence;
  OMEN_ASSERT (e < v->trace->events.count);
  for (size_t i = 0; i < sequence->count; i++)
    if (sequence->data[i] == e)
      return (uint32_t)i;
  return OMEN_NONE;
}

/* Both in σ, a before b. */
static bool
must_precede (const omen_verifier *v, omen_eid a, omen_eid b, omen_err *err)
{
  uint32_t x = step_of (v, a), y = step_of (v, b);
  OMEN_ASSERT (a != b);
  if (x == OMEN_NONE)
    return omen_verify_refuse (v, a, err, "is not in the sequence");
  if (y == OMEN_NONE)
    return omen_verify_refuse (v, b, err, "is not in the sequence");
  return x < y || omen_verify_refuse (v, a, err, "comes too late");
}

/* Rules 1 to 4 allow e next, and e's thread may go on to it. A notify that e
   needs is then used up for the claimed events after it: they must be enabled
   together. */
static bool
must_be_enabled (omen_verifier *v, omen_eid e, bool but_lock, omen_err *err)
{
  if (!omen_step_enabled (v, e, but_lock, err)
      || !omen_read_goes_on (v, e, err))
    return false;
  if (v->facts.flags[e] & OMEN_FACT_RETURN)
    omen_notify_take (v, e);
  return true;
}

static bool
racing (omen_verifier *v, omen_eid a, omen_eid b, omen_err *err)
{
  if (omen_kind_atomic (omen_trace_event (v->trace, a)->kind)
      && omen_kind_atomic (omen_trace_event (v->trace, b)->kind))
    return omen_verify_refuse (v, a, err, "both accesses are atomic");
  return must_conflict (v, a, b, err);
}

static bool
race_holds (omen_verifier *v, omen_err *err)
{
  omen_eid a = claimed (v)[0], b = claimed (v)[1];
  return racing (v, a, b, err) && must_be_enabled (v, a, false, err)
         && must_be_enabled (v, b, false, err);
}

static bool
race_order_holds (omen_verifier *v, omen_err *err)
{
  omen_eid a = claimed (v)[0], b = claimed (v)[1];
  char other[OMEN_WITNESS_EVENT_MAX];
  if (!racing (v, a, b, err) || !must_precede (v, a, b, err))
    return false;
  return !omen_order_path (v, a, b)
         || omen_verify_refuse (v, a, err, "is synchronised before %s",
                                omen_witness_event (v->trace, b, other));
}

/* ---- deadlock ---- */
/* The lock that a blocking request asks for, or OMEN_NONE. */
static omen_lid
wanted_lock (const omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    if (event->mode & OMEN_MODE_TRY)
      return OMEN_NONE;
    return v->facts.flags[e] & OMEN_FACT_NESTED ? OMEN_NONE : event->object;
  case OMEN_WAKE:
    return (omen_lid)event->value;
  case OMEN_REQUEST:
    return v->trace->index[e] + 1 == v->trace->threads.data[event->thread].count
               ? event->object
               : OMEN_NONE;
  default:
    return OMEN_NONE;
  }
}

/* Does the thread hold the lock after σ in a mode that e must wait for? */
static bool
holds_against (omen_verifier *v, omen_tid holder, omen_eid e, omen_lid lock)
{
  unsigned kind = omen_trace_event (v->trace, e)->kind;
  uint32_t done = omen_state_thread (v, holder)->done;
  OMEN_ASSERT (!v->facts.irregular[lock]);
  if (omen_facts_holds (&v->facts, holder, done, lock, true))
    return true;
  return (kind == OMEN_ACQUIRE || kind == OMEN_WAKE)
         && omen_facts_holds (&v->facts, holder, done, lock, false);
}

static bool
blocked_by (omen_verifier *v, omen_eid e, omen_tid holder, omen_err *err)
{
  omen_lid lock = wanted_lock (v, e);
  const char *name;
  if (lock == OMEN_NONE)
    return omen_verify_refuse (v, e, err, "is no blocking request for a lock");
  name = omen_names_text (&v->trace->names[OMEN_OPERAND_LOCK], lock);
  if (v->facts.irregular[lock])
    return omen_verify_refuse (v, e, err, "the lock %s is irregular", name);
  return must_be_enabled (v, e, true, err)
         && (holds_against (v, holder, e, lock)
             || omen_verify_refuse (v, e, err, "%s does not hold %s against it",
                                    omen_trace_thread_name (v->trace, holder),
                                    name));
}

static bool
deadlock_holds (omen_verifier *v, omen_err *err)
{
  const omen_ids *events = &v->witness->claim.events;
  OMEN_ASSERT (events->count >= 2);
  for (size_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i], next = events->data[(i + 1) % events->count];
    omen_thread_state *s
        = omen_state_thread (v, omen_trace_event (v->trace, e)->thread);
    if (s->claimed)
      return omen_verify_refuse (v, e, err, "its thread is claimed twice");
    s->claimed = true;
    if (!blocked_by (v, e, omen_trace_event (v->trace, next)->thread, err))
      return false;
  }
  return true;
}

/* ---- nondeterministic read ---- */
/* Would r, if appended now, see c in this atom, and not as in the trace? */
static bool
sees_rival (omen_verifier *v, omen_eid r, omen_eid c, uint32_t a, size_t pair)
{
  const omen_atom_state *s = omen_state_atom (v, a);
  omen_model_name model = v->witness->model;
  omen_fact_value read, written;
  OMEN_ASSERT (omen_kind_reads (omen_trace_event (v->trace, r)->kind));
  if (s->writer != c || v->facts.seen[pair] == c)
    return false;
  if (s->tainted && omen_event_is_cas (omen_trace_event (v->trace, c)))
    return false; /* which wrote nothing */
  if ((model != OMEN_MODEL_VALUE && model != OMEN_MODEL_SLICED) || s->tainted)
    return true;
  read = omen_facts_datum (&v->facts, r, a, false);
  written = omen_facts_written (&v->facts, c, a);
  return !omen_datum_equal (read, written);
}

void
omen_claim_step (omen_verifier *v, omen_eid e)
{
  const omen_claim *claim = &v->witness->claim;
  const omen_event *event = omen_trace_event (v->trace, e);
  size_t pair = v->facts.pair[e];
  if (claim->kind != OMEN_CLAIM_NONDET || claimed (v)[0] != e
      || !omen_kind_reads (event->kind))
    return;
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++, pair++) {
    omen_eid w = v->facts.seen[pair];
    if (!sees_rival (v, e, claimed (v)[1], a, pair))
      continue;
    if (w == OMEN_NONE || omen_state_has (v, w))
      v->rival_before = true;
    else
      OMEN_VEC_PUSH (v->rivals, w);
  }
}

static bool
nondet_holds (omen_verifier *v, omen_err *err)
{
  omen_eid r = claimed (v)[0];
  const omen_event *event = omen_trace_event (v->trace, r);
  bool after = false, absent = false, fits;
  if (!omen_kind_reads (event->kind))
    return omen_verify_refuse (v, r, err, "is no read");
  if (v->trace->index[r] + 1 != omen_state_thread (v, event->thread)->done)
    return omen_verify_refuse (v, r, err, "is not the last of its thread");
  OMEN_ASSERT ((!v->rival_before && !v->rivals.count) || omen_state_has (v, r));
  for (size_t i = 0; i < v->rivals.count; i++)
    if (omen_state_has (v, v->rivals.data[i]))
      after = true;
    else
      absent = true;
  if (!v->rival_before && !after && !absent)
    return omen_verify_refuse (v, r, err,
                               "does not see the challenger, or "
                               "that is what it saw in the trace");
  fits = v->witness->claim.word == OMEN_WCR   ? v->rival_before
         : v->witness->claim.word == OMEN_CRW ? after
                                              : absent;
  return fits
         || omen_verify_refuse (v, r, err, "the order is not %s",
                                omen_nondet_text (v->witness->claim.word));
}

/* ---- final value ---- */
/* The last write of the atom in the trace; there is one. */
static omen_eid
last_in_trace (const omen_verifier *v, uint32_t a)
{
  for (uint32_t i = (uint32_t)v->trace->events.count; i-- > 0;) {
    omen_eid e = omen_facts_nth (&v->facts, i);
    const omen_event *event = omen_trace_event (v->trace, e);
    if (omen_kind_writes (event->kind)
        && v->facts.place_first[event->object] <= a
        && a < v->facts.place_end[event->object])
      return e;
  }
  OMEN_ASSERT (!"an atom that is written has a last write");
  return OMEN_NONE;
}

/* Is c the last write of the atom in σ, with another value than the last one in
   the trace? */
static bool
leaves_news (omen_verifier *v, omen_eid c, uint32_t a)
{
  omen_model_name model = v->witness->model;
  omen_eid w = last_in_trace (v, a);
  if (omen_state_atom (v, a)->writer != c || w == c)
    return false;
  if (model != OMEN_MODEL_VALUE && model != OMEN_MODEL_SLICED)
    return true;
  return !omen_datum_equal (omen_facts_written (&v->facts, c, a),
                            omen_facts_written (&v->facts, w, a));
}

static bool
final_holds (omen_verifier *v, omen_err *err)
{
  omen_eid c = claimed (v)[0];
  const omen_event *event = omen_trace_event (v->trace, c);
  if (!omen_kind_writes (event->kind))
    return omen_verify_refuse (v, c, err, "is no write");
  if (v->witness->sequence.count != v->trace->events.count)
    return omen_verify_refuse (v, c, err,
                               "the sequence lacks events of the trace");
  for (omen_tid t = 0; t < v->trace->threads.count; t++) {
    omen_eid lost = omen_state_thread (v, t)->lost;
    if (lost != OMEN_NONE)
      return omen_verify_refuse (v, lost, err,
                                 "does not see what it saw in the trace");
  }
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++)
    if (leaves_news (v, c, a))
      return true;
  return omen_verify_refuse (v, c, err,
                             "does not leave another value than the trace");
}

/* ---- atomicity ---- */
static bool
must_be_inside (const omen_verifier *v, omen_eid block, omen_eid e,
                omen_err *err)
{
  const omen_trace *trace = v->trace;
  const omen_event *start = omen_trace_event (trace, block);
  unsigned end = start->kind == OMEN_BEGIN ? OMEN_END : OMEN_EXIT;
  uint32_t depth = 1;
  if (start->kind != OMEN_BEGIN && start->kind != OMEN_ENTER)
    return omen_verify_refuse (v, block, err, "starts no block");
  if (start->thread != omen_trace_event (trace, e)->thread
      || trace->index[block] > trace->index[e])
    return omen_verify_refuse (v, e, err, "is not in the claimed block");
  for (uint32_t i = trace->index[block] + 1; i < trace->index[e]; i++) {
    const omen_event *event
        = omen_trace_event (trace, omen_trace_nth (trace, start->thread, i));
    if (event->object != start->object)
      continue;
    depth += event->kind == start->kind;
    if (event->kind == end && --depth == 0)
      return omen_verify_refuse (v, e, err, "comes after the claimed block");
  }
  return true;
}

/* An event of the other block must come between: a block that ran undivided is
   atomic. */
static bool
must_be_entered (const omen_verifier *v, omen_eid first, omen_eid second,
                 omen_eid other_first, omen_eid other_second, omen_err *err)
{
  if (step_of (v, other_first) < step_of (v, second)
      || step_of (v, first) < step_of (v, other_second))
    return true;
  return omen_verify_refuse (v, first, err,
                             "and the other event of its block have nothing of "
                             "the other block between them");
}

static bool
atomicity_holds (omen_verifier *v, omen_err *err)
{
  const omen_eid *e = claimed (v);
  omen_eid block = e[0], first = e[1], second = e[2];
  omen_eid other = e[3], other_first = e[4], other_second = e[5];
  OMEN_ASSERT (v->witness->claim.events.count == 6);
  if (!must_be_inside (v, block, first, err)
      || !must_be_inside (v, block, second, err))
    return false;
  if (v->trace->index[first] > v->trace->index[second])
    return omen_verify_refuse (v, first, err,
                               "comes after the other event of "
                               "its block");
  if (other == OMEN_NONE
          ? other_first != other_second
                && !omen_verify_refuse (v, other_first, err,
                                        "is claimed with "
                                        "another event but no block")
          : !must_be_inside (v, other, other_first, err)
                || !must_be_inside (v, other, other_second, err))
    return false;
  return must_conflict (v, first, other_first, err)
         && must_conflict (v, other_second, second, err)
         && must_precede (v, first, other_first, err)
         && must_precede (v, other_second, second, err)
         && must_be_entered (v, first, second, other_first, other_second, err);
}

/* ---- pattern ---- */
static bool
pattern_holds (omen_verifier *v, omen_err *err)
{
  const omen_ids *events = &v->witness->claim.events;
  const omen_ids *sequence = &v->witness->sequence;
  size_t found = 0;
  for (size_t i = 0; i < sequence->count && found < events->count; i++)
    found += sequence->data[i] == events->data[found];
  OMEN_ASSERT (found <= events->count && events->count > 0);
  return found == events->count
         || omen_verify_refuse (v, events->data[found], err,
                                "is not in the sequence after the event "
                                "claimed before it");
}

/* ---- property ---- */
static const omen_property_file *
claimed_file (const omen_verifier *v)
{
  for (size_t i = 0; i < v->properties.count; i++)
    if (v->properties.data[i].identity == v->witness->claim.about->spec)
      return &v->properties.data[i];
  return NULL;
}

static bool
property_holds (omen_verifier *v, omen_err *err)
{
  const omen_claim *claim = &v->witness->claim;
  const omen_property_file *file;
  omen_ids strange = { 0 }; /* claimed reads that do not see what they saw */
  OMEN_ASSERT (claim->about);
  if (!v->properties.count)
    return omen_err_set (err, "", "claim: no property file is given");
  file = claimed_file (v);
  if (!file)
    return omen_err_set (err, "", "claim: about another property file");
  for (size_t i = 0; i < claim->events.count; i++) {
    omen_eid e = claim->events.data[i];
    omen_tid t = omen_trace_event (v->trace, e)->thread;
    if (omen_state_thread (v, t)->bad == e)
      OMEN_VEC_PUSH (strange, e);
  }
  v->refusal = omen_property_shown (v->trace, file, v->witness, &strange, err);
  OMEN_VEC_FINI (strange);
  return v->refusal == OMEN_REFUSED_NOT_AT_ALL;
}

/* ---- all of them ---- */
static const struct {
  uint32_t least, most;
} arity[] = {
  [OMEN_CLAIM_RACE] = { 2, 2 },
  [OMEN_CLAIM_RACE_ORDER] = { 2, 2 },
  [OMEN_CLAIM_DEADLOCK] = { 2, OMEN_NONE },
  [OMEN_CLAIM_NONDET] = { 2, 2 },
  [OMEN_CLAIM_ATOMICITY] = { 6, 6 },
  [OMEN_CLAIM_PATTERN] = { 1, OMEN_NONE },
  [OMEN_CLAIM_MISUSE] = { 1, 1 },
  [OMEN_CLAIM_FINAL] = { 1, 1 },
  [OMEN_CLAIM_PROPERTY] = { 1, OMEN_NONE },
  [OMEN_CLAIM_STUCK] = { 1, OMEN_NONE },
  [OMEN_CLAIM_LIFETIME] = { 2, 2 },
};

/* -1 means the initial write (nondet), or no block (atomicity). */
static bool
may_be_none (omen_claim_kind kind, size_t i)
{
  return (kind == OMEN_CLAIM_NONDET && i == 1)
         || (kind == OMEN_CLAIM_ATOMICITY && i == 3);
}

/* Claimed events are distinct, but for the single event of an atomicity claim.
   (For deadlock, pattern and property this follows from what they ask.) */
static bool
repeats (const omen_claim *claim)
{
  const omen_ids *events = &claim->events;
  if (claim->kind == OMEN_CLAIM_DEADLOCK || claim->kind == OMEN_CLAIM_PATTERN
      || claim->kind == OMEN_CLAIM_PROPERTY)
    return false;
  for (size_t i = 0; i < events->count; i++)
    for (size_t k = 0; k < i; k++)
      if (events->data[i] == events->data[k]
          && !(claim->kind == OMEN_CLAIM_ATOMICITY && k == 4
               && events->data[3] == OMEN_NONE))
        return true;
  return false;
}

bool
omen_claim_shape (omen_verifier *v, omen_err *err)
{
  const omen_claim *claim = &v->witness->claim;
  OMEN_REQUIRE (claim->kind < OMEN_CLAIMS && v->witness->model < OMEN_MODELS);
  OMEN_REQUIRE (claim->kind != OMEN_CLAIM_NONDET
                || claim->word < OMEN_NONDET_ORDERS);
  OMEN_REQUIRE (claim->kind != OMEN_CLAIM_MISUSE || claim->word < OMEN_MISUSES);
  if (claim->events.count < arity[claim->kind].least
      || claim->events.count > arity[claim->kind].most)
    return omen_err_set (err, "", "claim: %s with %zu events",
                         omen_claim_text (claim->kind), claim->events.count);
  for (size_t i = 0; i < claim->events.count; i++)
    if (claim->events.data[i] >= v->trace->events.count
        && !(claim->events.data[i] == OMEN_NONE
             && may_be_none (claim->kind, i)))
      return omen_err_set (err, "", "claim: the trace has no event %ld",
                           claim->events.data[i] == OMEN_NONE
                               ? -1L
                               : (long)claim->events.data[i]);
  if (repeats (claim))
    return omen_err_set (err, "", "claim: an event is claimed twice");
  return true;
}

bool
omen_claim_holds (omen_verifier *v, omen_err *err)
{
  OMEN_ASSERT (v->step == OMEN_NONE);
  switch (v->witness->claim.kind) {
  case OMEN_CLAIM_RACE:
    return race_holds (v, err);
  case OMEN_CLAIM_RACE_ORDER:
    return race_order_holds (v, err);
  case OMEN_CLAIM_DEADLOCK:
    return deadlock_holds (v, err);
  case OMEN_CLAIM_NONDET:
    return nondet_holds (v, err);
  case OMEN_CLAIM_ATOMICITY:
    return atomicity_holds (v, err);
  case OMEN_CLAIM_PATTERN:
    return pattern_holds (v, err);
  case OMEN_CLAIM_MISUSE:
    return omen_claim_misuse (v, err);
  case OMEN_CLAIM_FINAL:
    return final_holds (v, err);
  case OMEN_CLAIM_PROPERTY:
    return property_holds (v, err);
  case OMEN_CLAIM_STUCK:
    return omen_claim_stuck (v, err);
  case OMEN_CLAIM_LIFETIME:
    return omen_claim_lifetime (v, err);
  default:
    OMEN_ASSERT (!"a claim kind");
    return false;
  }
}
