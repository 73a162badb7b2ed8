/* TRUSTED. Rules 1 to 4 of section 3: may e come next after σ? One function a
   rule, then the change that e makes to the state. */
#include "witness/verify_state.h"

/* ---- the state, fresh when this walk has not touched it ---- */
omen_thread_state *
omen_state_thread (omen_verifier *v, omen_tid t)
{
  omen_thread_state *s = &v->threads[t];
  OMEN_ASSERT (t < v->trace->threads.count);
  if (s->epoch != v->epoch)
    *s = (omen_thread_state){ .epoch = v->epoch,
                              .bad = OMEN_NONE,
                              .lost = OMEN_NONE };
  return s;
}

static omen_holding *
lock_state (omen_verifier *v, omen_lid l)
{
  omen_holding *s = &v->locks[l];
  OMEN_ASSERT (l < v->trace->names[OMEN_OPERAND_LOCK].count);
  if (s->epoch != v->epoch)
    *s = (omen_holding){ .epoch = v->epoch, .writer = OMEN_NONE };
  return s;
}

omen_atom_state *
omen_state_atom (omen_verifier *v, uint32_t a)
{
  omen_atom_state *s = &v->atoms[a];
  OMEN_ASSERT (a < v->facts.atoms.count);
  if (s->epoch != v->epoch)
    *s = (omen_atom_state){ .epoch = v->epoch, .writer = OMEN_NONE };
  return s;
}

static omen_semaphore_state *
state_semaphore (omen_verifier *v, uint32_t id)
{
  omen_semaphore_state *s = &v->semaphores[id];
  OMEN_ASSERT (id < v->trace->names[OMEN_OPERAND_SEMAPHORE].count);
  if (s->epoch != v->epoch)
    *s = (omen_semaphore_state){ .epoch = v->epoch,
                                 .count = v->facts.count[id] };
  return s;
}

uint64_t
omen_state_semaphore_count (omen_verifier *v, uint32_t id)
{
  return state_semaphore (v, id)->count;
}

bool
omen_state_semaphore_in_turn (omen_verifier *v, omen_eid down)
{
  return state_semaphore (v, omen_trace_event (v->trace, down)->object)->inits
         == v->facts.number[down];
}

static omen_round_state *
state_round (omen_verifier *v, uint32_t id)
{
  omen_round_state *s = &v->rounds[id];
  OMEN_ASSERT (id < v->facts.rounds.count);
  if (s->epoch != v->epoch)
    *s = (omen_round_state){ .epoch = v->epoch };
  return s;
}

static omen_object_state *
state_object (omen_verifier *v, uint32_t id)
{
  omen_object_state *s = &v->objects[id];
  OMEN_ASSERT (id < v->trace->names[OMEN_OPERAND_OBJECT].count);
  if (s->epoch != v->epoch)
    *s = (omen_object_state){ .epoch = v->epoch };
  return s;
}

bool
omen_state_has (omen_verifier *v, omen_eid e)
{
  omen_tid t = omen_trace_event (v->trace, e)->thread;
  return v->trace->index[e] < omen_state_thread (v, t)->done;
}

bool
omen_state_next (omen_verifier *v, omen_eid e)
{
  omen_tid t = omen_trace_event (v->trace, e)->thread;
  return v->trace->index[e] == omen_state_thread (v, t)->done;
}

/* ---- rule 1, and forks of rule 3 ---- */
static bool
thread_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  omen_tid t = omen_trace_event (v->trace, e)->thread;
  uint32_t done = omen_state_thread (v, t)->done;
  if (omen_state_has (v, e))
    return omen_verify_refuse (v, e, err, "is in the sequence already");
  if (!omen_state_next (v, e))
    return omen_verify_refuse (v, e, err, "event %u of its thread comes first",
                               done);
  if (done == 0 && v->facts.fork[t] != OMEN_NONE
      && !omen_state_has (v, v->facts.fork[t]))
    return omen_verify_refuse (v, e, err, "its thread is not forked yet");
  return true;
}

/* ---- rule 2 ---- */
static bool
irregular_rule (omen_verifier *v, omen_eid e, omen_lid lock, omen_err *err)
{
  uint32_t done = lock_state (v, lock)->done;
  if (v->facts.number[e] == done)
    return true;
  return omen_verify_refuse (
      v, e, err,
      "operations on the irregular lock %s keep the "
      "order of the trace, and one is missing",
      omen_names_text (&v->trace->names[OMEN_OPERAND_LOCK], lock));
}

static bool
lock_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  const char *name;
  omen_lid lock = omen_facts_lock (v->trace, e);
  omen_holding *holding;
  if (lock == OMEN_NONE)
    return true;
  if (v->facts.irregular[lock])
    return irregular_rule (v, e, lock, err);
  holding = lock_state (v, lock);
  if ((v->facts.flags[e] & OMEN_FACT_NESTED)
      || omen_holding_admits (holding, omen_trace_event (v->trace, e)->kind))
    return true;
  name = omen_names_text (&v->trace->names[OMEN_OPERAND_LOCK], lock);
  if (holding->writer != OMEN_NONE)
    return omen_verify_refuse (
        v, e, err, "%s holds %s",
        omen_trace_thread_name (v->trace, holding->writer), name);
  return holding->readers
             ? omen_verify_refuse (v, e, err, "%u threads hold %s for reading",
                                   holding->readers, name)
             : omen_verify_refuse (v, e, err, "nobody holds %s", name);
}

/* ---- rule 3 ---- */
static bool
join_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  omen_tid child = omen_trace_event (v->trace, e)->object;
  omen_thread_state *s = omen_state_thread (v, child);
  if (v->facts.fork[child] != OMEN_NONE
      && !omen_state_has (v, v->facts.fork[child]))
    return omen_verify_refuse (v, e, err, "that thread is not forked yet");
  if (s->done < v->trace->threads.data[child].count)
    return omen_verify_refuse (v, e, err, "event %u of that thread is missing",
                               s->done);
  if (s->lost != OMEN_NONE)
    return omen_verify_refuse (v, e, err,
                               "event %u of that thread did not see what it "
                               "saw in the trace",
                               v->trace->index[s->lost]);
  return true;
}

/* ---- rule 4 ---- */
static bool
semaphore_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_semaphore_state *s = state_semaphore (v, event->object);
  uint32_t number = v->facts.number[e];
  if (event->kind == OMEN_SEM_INIT)
    return s->ops == number
           || omen_verify_refuse (v, e, err,
                                  "%u operations on the semaphore "
                                  "precede it in the trace, here %u",
                                  number, s->ops);
  if (s->inits < number)
    return omen_verify_refuse (v, e, err,
                               "comes before a seminit that "
                               "precedes it in the trace");
  if (event->kind == OMEN_SEM_DOWN && !s->count)
    return omen_verify_refuse (v, e, err, "the count is 0");
  if (event->kind == OMEN_SEM_FAIL && s->count)
    return omen_verify_refuse (v, e, err, "the count is %llu, not 0",
                               (unsigned long long)s->count);
  return true;
}

bool
omen_state_round_full (omen_verifier *v, uint32_t round)
{
  OMEN_ASSERT (state_round (v, round)->arrived
               <= v->facts.rounds.data[round].size);
  return state_round (v, round)->arrived == v->facts.rounds.data[round].size;
}

static bool
barrier_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  uint32_t round = v->facts.number[e];
  uint32_t before = v->facts.rounds.data[round].before;
  OMEN_ASSERT (before == OMEN_NONE || before < round);
  if (omen_trace_event (v->trace, e)->kind == OMEN_ARRIVE)
    return before == OMEN_NONE || omen_state_round_full (v, before)
           || omen_verify_refuse (v, e, err,
                                  "the round before it is not complete");
  return omen_state_round_full (v, round)
         || omen_verify_refuse (v, e, err, "its round is not complete");
}

static bool
happens_after_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  uint32_t object = omen_trace_event (v->trace, e)->object;
  uint32_t leading = state_object (v, object)->leading;
  return v->facts.number[e] <= leading
         || omen_verify_refuse (v, e, err,
                                "%u hb events precede it in the trace, the "
                                "first %u of them are here",
                                v->facts.number[e], leading);
}

/* An ext comes after exactly the accesses that it came after in the trace, and
   an access after exactly those exts. */
static bool
ext_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  size_t pair = v->facts.pair[e];
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++, pair++) {
    omen_atom_state *s = omen_state_atom (v, a);
    bool ext = event->kind == OMEN_EXTERNAL;
    if ((ext ? s->accesses : s->exts) != v->facts.ext_turn[pair])
      return omen_verify_refuse (v, e, err,
                                 ext ? "an access that precedes it in the "
                                       "trace is missing"
                                     : "an ext that precedes it in the trace "
                                       "is missing");
  }
  return true;
}

static bool
access_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_eid alloc
      = v->facts.alloc[v->trace->places.data[event->object].variable];
  if (alloc != OMEN_NONE && alloc != e && !omen_state_has (v, alloc))
    return omen_verify_refuse (v, e, err, "the block is not allocated yet");
  return !v->facts.ext_turn || ext_rule (v, e, err);
}

static bool
kind_rule (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  switch (omen_kind_operand (event->kind)) {
  case OMEN_OPERAND_PLACE:
  case OMEN_OPERAND_VARIABLE:
    return access_rule (v, e, err);
  case OMEN_OPERAND_SEMAPHORE:
    return event->kind == OMEN_SEM_REQUEST || semaphore_rule (v, e, err);
  case OMEN_OPERAND_BARRIER:
    return barrier_rule (v, e, err);
  case OMEN_OPERAND_OBJECT:
    return event->kind != OMEN_HAPPENS_AFTER || happens_after_rule (v, e, err);
  case OMEN_OPERAND_THREAD:
    return event->kind != OMEN_JOIN || join_rule (v, e, err);
  default:
    return true;
  }
}

bool
omen_step_enabled (omen_verifier *v, omen_eid e, bool but_lock, omen_err *err)
{
  OMEN_ASSERT (e < v->trace->events.count);
  if (!thread_rule (v, e, err) || (!but_lock && !lock_rule (v, e, err))
      || !kind_rule (v, e, err))
    return false;
  if ((v->facts.flags[e] & OMEN_FACT_RETURN)
      && omen_notify_for (v, e) == OMEN_NONE)
    return omen_verify_refuse (v, e, err,
                               "no notify is left for the return of the wait");
  return true;
}

/* ---- what e changes ---- */
static void
apply_lock (omen_verifier *v, omen_eid e)
{
  omen_lid lock = omen_facts_lock (v->trace, e);
  omen_holding *holding;
  if (lock == OMEN_NONE)
    return;
  holding = lock_state (v, lock);
  OMEN_ASSERT (!v->facts.irregular[lock]
               || v->facts.number[e] == holding->done);
  holding->done++;
  if (!v->facts.irregular[lock] && !(v->facts.flags[e] & OMEN_FACT_NESTED))
    omen_holding_apply (holding, omen_trace_event (v->trace, e));
}

static void
apply_semaphore (omen_verifier *v, const omen_event *event)
{
  omen_semaphore_state *s = state_semaphore (v, event->object);
  OMEN_ASSERT (s->inits <= s->ops);
  s->ops++;
  switch (event->kind) {
  case OMEN_SEM_INIT:
    s->count = event->value;
    s->inits++;
    break;
  case OMEN_SEM_UP:
    s->count++;
    break;
  case OMEN_SEM_DOWN:
    OMEN_ASSERT (s->count > 0);
    s->count--;
    break;
  default:
    break;
  }
}

/* Counts the hbs that are in σ without a gap, in the order of the trace. */
static void
apply_happens_before (omen_verifier *v, uint32_t object)
{
  omen_object_state *s = state_object (v, object);
  uint32_t first = v->facts.hb_first[object];
  uint32_t all = v->facts.hb_first[object + 1] - first;
  while (s->leading < all
         && omen_state_has (v, v->facts.hbs[first + s->leading]))
    s->leading++;
  OMEN_ASSERT (s->leading <= all);
}

static void
apply_kind (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  switch (omen_kind_operand (event->kind)) {
  case OMEN_OPERAND_SEMAPHORE:
    if (event->kind != OMEN_SEM_REQUEST)
      apply_semaphore (v, event);
    break;
  case OMEN_OPERAND_BARRIER:
    if (event->kind == OMEN_ARRIVE)
      state_round (v, v->facts.number[e])->arrived++;
    break;
  case OMEN_OPERAND_OBJECT:
    if (event->kind == OMEN_HAPPENS_BEFORE)
      apply_happens_before (v, event->object);
    break;
  case OMEN_OPERAND_CONDITION:
    if (event->kind == OMEN_NOTIFY || event->kind == OMEN_NOTIFY_ALL)
      omen_notify_add (v, e);
    break;
  default:
    break;
  }
}

void
omen_step_apply (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_thread_state *s = omen_state_thread (v, event->thread);
  OMEN_ASSERT (s->done < v->trace->threads.data[event->thread].count);
  if (v->facts.flags[e] & OMEN_FACT_RETURN)
    omen_notify_give (v, e);
  s->done++;
  s->last_at = v->step;
  apply_lock (v, e);
  apply_kind (v, e);
  OMEN_ASSERT (omen_state_has (v, e));
}
