/* TRUSTED. What the order of the trace says about synchronisation: turns on
   irregular locks, semaphores before their seminit, rounds of barriers, the hbs
   that an ha comes after; and the dependences of events, checked. */
#include "witness/verify_facts.h"

static size_t
named (const omen_facts *facts, omen_operand operand)
{
  return facts->trace->names[operand].count;
}

/* A trace with a release of a lock that no thread holds is not well-formed. A
   wait that releases such a lock is misuse, unless the lock may have been
   acquired before the trace begins. */
static bool
must_be_held (const omen_trace *trace, omen_eid e)
{
  return omen_trace_event (trace, e)->kind != OMEN_WAIT
         || trace->flags & OMEN_TRACE_PARTIAL;
}

/* Turns on irregular locks. */
static bool
number_locks (omen_facts *facts, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  size_t locks = named (facts, OMEN_OPERAND_LOCK);
  uint32_t *turn = omen_zalloc (locks + 1, sizeof *turn);
  uint32_t *holds = omen_zalloc (locks + 1, sizeof *holds);
  bool ok = true;
  for (uint32_t i = 0; ok && i < trace->events.count; i++) {
    omen_eid e = omen_facts_nth (facts, i);
    omen_lid lock = omen_facts_lock (trace, e);
    unsigned kind = omen_trace_event (trace, e)->kind;
    bool takes = kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE
                 || kind == OMEN_WAKE;
    if (lock == OMEN_NONE)
      continue;
    if (facts->irregular[lock])
      facts->number[e] = turn[lock]++;
    if (kind == OMEN_TRY_FAIL || kind == OMEN_READ_TRY_FAIL)
      continue;
    OMEN_ASSERT (takes || facts->flags[e] || holds[lock] > 0);
    if (!(facts->flags[e] & (OMEN_FACT_NESTED | OMEN_FACT_UNHELD)))
      holds[lock] += takes ? 1u : -1u;
    else if ((facts->flags[e] & OMEN_FACT_UNHELD) && !takes && !holds[lock]
             && must_be_held (trace, e))
      ok = omen_facts_refuse (trace, e, err, "nobody holds the lock");
  }
  omen_free (turn);
  omen_free (holds);
  return ok;
}

/* Operations on semaphores. `low` is how far the count sinks below its unknown
   start before the first seminit. */
static void
number_semaphores (omen_facts *facts)
{
  const omen_trace *trace = facts->trace;
  size_t all = named (facts, OMEN_OPERAND_SEMAPHORE) + 1;
  uint32_t *ops = omen_zalloc (all, sizeof *ops);
  uint32_t *inits = omen_zalloc (all, sizeof *inits);
  int64_t *level = omen_zalloc (all, sizeof *level);
  for (uint32_t i = 0; i < trace->events.count; i++) {
    omen_eid e = omen_facts_nth (facts, i);
    const omen_event *event = omen_trace_event (trace, e);
    uint32_t s = event->object;
    if (omen_kind_operand (event->kind) != OMEN_OPERAND_SEMAPHORE
        || event->kind == OMEN_SEM_REQUEST)
      continue;
    OMEN_ASSERT (inits[s] <= ops[s]);
    facts->number[e] = event->kind == OMEN_SEM_INIT ? ops[s] : inits[s];
    ops[s]++;
    inits[s] += event->kind == OMEN_SEM_INIT;
    level[s] += event->kind == OMEN_SEM_UP;
    level[s] -= event->kind == OMEN_SEM_DOWN;
    if (!inits[s] && level[s] < 0 && (uint64_t)-level[s] > facts->count[s])
      facts->count[s] = (uint64_t)-level[s];
  }
  omen_free (ops);
  omen_free (inits);
  omen_free (level);
}

/* State of a barrier while its arrivals are grouped into rounds. */
typedef struct barrier {
  uint32_t round; /* the one being filled or just filled, or OMEN_NONE */
  uint32_t missing;
} barrier;

static bool
arrive_at_barrier (omen_facts *facts, barrier *b, omen_eid e, omen_err *err)
{
  uint64_t size = omen_trace_event (facts->trace, e)->value;
  if (!size || size > facts->trace->events.count) {
    if (!size)
      return omen_facts_refuse (facts->trace, e, err, "a barrier of 0 threads");
    size = OMEN_NONE; /* a round that never fills */
  }
  if (!b->missing) {
    omen_fact_round round = { b->round, (uint32_t)size };
    b->round = (uint32_t)facts->rounds.count;
    b->missing = round.size;
    OMEN_VEC_PUSH (facts->rounds, round);
  } else if (facts->rounds.data[b->round].size != size) {
    return omen_facts_refuse (facts->trace, e, err,
                              "another number of threads than the first "
                              "arrival of its round says");
  }
  OMEN_ASSERT (b->missing > 0 && b->round < facts->rounds.count);
  facts->number[e] = b->round;
  b->missing--;
  return true;
}

/* The round of the thread's latest arrival at the barrier, looked for backwards
   since a depart follows it closely. */
static bool
depart (omen_facts *facts, omen_eid e, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  const omen_event *event = omen_trace_event (trace, e);
  for (uint32_t i = trace->index[e]; i-- > 0;) {
    omen_eid f = omen_trace_nth (trace, event->thread, i);
    const omen_event *other = omen_trace_event (trace, f);
    if (other->object != event->object)
      continue;
    if (other->kind == OMEN_ARRIVE || other->kind == OMEN_DEPART) {
      OMEN_ASSERT (facts->number[f] < facts->rounds.count);
      facts->number[e] = facts->number[f];
      return true;
    }
  }
  return omen_facts_refuse (trace, e, err, "departs without having arrived");
}

static bool
number_barriers (omen_facts *facts, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  size_t all = named (facts, OMEN_OPERAND_BARRIER);
  barrier *barriers = omen_zalloc (all + 1, sizeof *barriers);
  bool ok = true;
  for (size_t b = 0; b < all; b++)
    barriers[b].round = OMEN_NONE;
  for (uint32_t i = 0; ok && i < trace->events.count; i++) {
    omen_eid e = omen_facts_nth (facts, i);
    const omen_event *event = omen_trace_event (trace, e);
    if (event->kind == OMEN_ARRIVE)
      ok = arrive_at_barrier (facts, &barriers[event->object], e, err);
    else if (event->kind == OMEN_DEPART)
      ok = depart (facts, e, err);
  }
  omen_free (barriers);
  return ok;
}

static void
number_objects (omen_facts *facts)
{
  const omen_trace *trace = facts->trace;
  size_t all = named (facts, OMEN_OPERAND_OBJECT);
  uint32_t *so_far = omen_zalloc (all + 1, sizeof *so_far);
  for (omen_eid e = 0; e < trace->events.count; e++)
    if (omen_trace_event (trace, e)->kind == OMEN_HAPPENS_BEFORE)
      facts->hb_first[omen_trace_event (trace, e)->object + 1]++;
  for (size_t o = 0; o < all; o++)
    facts->hb_first[o + 1] += facts->hb_first[o];
  facts->hbs
      = omen_alloc (((size_t)facts->hb_first[all] + 1) * sizeof *facts->hbs);
  for (uint32_t i = 0; i < trace->events.count; i++) {
    omen_eid e = omen_facts_nth (facts, i);
    const omen_event *event = omen_trace_event (trace, e);
    if (omen_kind_operand (event->kind) != OMEN_OPERAND_OBJECT)
      continue;
    facts->number[e] = so_far[event->object];
    OMEN_ASSERT (facts->hb_first[event->object] + so_far[event->object]
                 <= facts->hb_first[event->object + 1]);
    if (event->kind == OMEN_HAPPENS_BEFORE)
      facts->hbs[facts->hb_first[event->object] + so_far[event->object]++] = e;
  }
  omen_free (so_far);
}

static bool
check_dependence (const omen_facts *facts, omen_eid e, uint32_t index,
                  bool branch, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  omen_eid on;
  OMEN_ASSERT (e < trace->events.count);
  if (index >= trace->index[e])
    return omen_facts_refuse (trace, e, err,
                              "depends on an event that is not earlier");
  on = omen_trace_nth (trace, omen_trace_event (trace, e)->thread, index);
  if (branch ? omen_trace_event (trace, on)->kind != OMEN_BRANCH
             : !omen_kind_reads (omen_trace_event (trace, on)->kind))
    return omen_facts_refuse (trace, e, err,
                              "depends on event %u of its "
                              "thread, which is no %s",
                              index, branch ? "branch" : "read");
  return true;
}

static bool
check_dependences (omen_facts *facts, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  for (size_t i = 0; i < trace->extras.count; i++) {
    const omen_extra *x = &trace->extras.data[i];
    for (uint32_t k = 0; k < x->reads; k++)
      if (!check_dependence (facts, x->event,
                             trace->dependences.data[x->first_read + k], false,
                             err))
        return false;
    if (x->branch != OMEN_NONE
        && !check_dependence (facts, x->event, x->branch, true, err))
      return false;
    facts->dependences |= x->reads || x->branch != OMEN_NONE;
  }
  return true;
}

bool
omen_facts_sync (omen_facts *facts, omen_err *err)
{
  if (!number_locks (facts, err) || !number_barriers (facts, err)
      || !check_dependences (facts, err))
    return false;
  number_semaphores (facts);
  number_objects (facts);
  return true;
}
