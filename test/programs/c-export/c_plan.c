/* What each object of the program is, and what each event does when its turn
   comes: one walk in the order of the run, with the locks as pthreads would
   have them. */
#include "c_writer.h"
#include "trace/holds.h"

/* Who has an irregular lock, as far as pthreads is concerned. */
typedef struct owner {
  omen_lid lock;
  omen_tid thread;
  uint8_t mode;
} owner;

typedef struct plan {
  omen_c *c;
  omen_holds holds; /* regular locks */
  OMEN_VEC (owner) owners;
  uint8_t *joined;  /* by thread: a join went by */
  uint32_t *rounds; /* by barrier: complete ones */
} plan;

omen_eid
omen_c_at (const omen_c *c, uint64_t position)
{
  if (position >= c->trace->events.count)
    return OMEN_NONE;
  return c->base.order ? c->base.order[position] : (omen_eid)position;
}

omen_eid
omen_c_next (const omen_c *c, omen_eid e)
{
  const omen_trace *trace = c->trace;
  omen_tid t = trace->events.data[e].thread;
  uint32_t i = trace->index[e] + 1;
  return i < trace->threads.data[t].count ? omen_trace_nth (trace, t, i)
                                          : OMEN_NONE;
}

omen_eid
omen_c_wait_of (const omen_c *c, omen_eid e)
{
  const omen_trace *trace = c->trace;
  uint32_t i = trace->index[e];
  omen_eid before;
  if (!i)
    return OMEN_NONE;
  before = omen_trace_nth (trace, trace->events.data[e].thread, i - 1);
  return trace->events.data[before].kind == OMEN_WAIT ? before : OMEN_NONE;
}

bool
omen_c_irregular (const omen_c *c, omen_lid lock)
{
  return c->base.irregular[lock];
}

bool
omen_c_on_guard (const omen_c *c, const omen_event *wait)
{
  OMEN_ASSERT (wait->kind == OMEN_WAIT);
  return wait->value == OMEN_NONE || c->locks[wait->value] == OMEN_C_RWLOCK
         || omen_c_irregular (c, (omen_lid)wait->value);
}

/* ---- kinds of locks ---- */

static void
find_lock_kinds (omen_c *c)
{
  const omen_trace *trace = c->trace;
  omen_holds holds;
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    if (event->kind == OMEN_READ_ACQUIRE || event->kind == OMEN_READ_RELEASE
        || event->kind == OMEN_READ_TRY_FAIL)
      c->locks[event->object] = OMEN_C_RWLOCK;
  }
  omen_holds_init (&holds, trace);
  for (uint32_t p = 0; p < trace->events.count; p++) {
    omen_lock_step step
        = omen_holds_step (&holds, omen_trace_event (trace, omen_c_at (c, p)));
    if (step.effect == OMEN_LOCK_NESTED && c->locks[step.lock] == OMEN_C_MUTEX
        && !omen_c_irregular (c, step.lock))
      c->locks[step.lock] = OMEN_C_RECURSIVE;
  }
  omen_holds_fini (&holds);
}

/* ---- irregular locks ---- */

/* Index of an owner in this mode, or SIZE_MAX. `thread` OMEN_NONE: any. */
static size_t
find_owner (const plan *p, omen_lid lock, omen_tid thread, unsigned mode)
{
  for (size_t i = 0; i < p->owners.count; i++) {
    const owner *o = &p->owners.data[i];
    if (o->lock == lock && (thread == OMEN_NONE || o->thread == thread)
        && o->mode == mode)
      return i;
  }
  return SIZE_MAX;
}

static bool
owned (const plan *p, omen_lid lock)
{
  return find_owner (p, lock, OMEN_NONE, OMEN_LOCK_WRITE) != SIZE_MAX
         || find_owner (p, lock, OMEN_NONE, OMEN_LOCK_READ) != SIZE_MAX;
}

static omen_c_act
take (plan *p, omen_lid lock, omen_tid thread, unsigned mode)
{
  owner o = { lock, thread, (uint8_t)mode };
  if (find_owner (p, lock, OMEN_NONE, OMEN_LOCK_WRITE) != SIZE_MAX
      || (mode == OMEN_LOCK_WRITE && owned (p, lock)))
    return OMEN_C_BUSY;
  OMEN_VEC_PUSH (p->owners, o);
  return OMEN_C_DO;
}

/* A mutex may be released by whoever does not hold it; a read-write lock would
   not survive that. */
static omen_c_act
give (plan *p, omen_lid lock, omen_tid thread, unsigned mode)
{
  bool mutex = p->c->locks[lock] != OMEN_C_RWLOCK;
  size_t i = find_owner (p, lock, mutex ? OMEN_NONE : thread, mode);
  if (i == SIZE_MAX)
    return OMEN_C_UNHELD;
  OMEN_ASSERT (i < p->owners.count);
  p->owners.data[i] = OMEN_VEC_LAST (p->owners);
  p->owners.count--;
  return OMEN_C_DO;
}

static omen_c_act
plan_irregular (plan *p, const omen_event *event)
{
  omen_lid lock = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE
                      ? (omen_lid)event->value
                      : event->object;
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_WAKE:
    return take (p, lock, event->thread, OMEN_LOCK_WRITE);
  case OMEN_READ_ACQUIRE:
    return take (p, lock, event->thread, OMEN_LOCK_READ);
  case OMEN_RELEASE:
  case OMEN_WAIT:
    return give (p, lock, event->thread, OMEN_LOCK_WRITE);
  default:
    OMEN_ASSERT (event->kind == OMEN_READ_RELEASE);
    return give (p, lock, event->thread, OMEN_LOCK_READ);
  }
}

/* ---- events ---- */

static void
plan_lock (plan *p, omen_eid e, const omen_event *event)
{
  omen_c_step *step = &p->c->steps[e];
  omen_lock_step lock = omen_holds_look (&p->holds, event);
  if (lock.lock == OMEN_NONE)
    return;
  if (omen_c_irregular (p->c, lock.lock)) {
    step->act = (uint8_t)plan_irregular (p, event);
    return;
  }
  OMEN_ASSERT (!lock.busy && lock.effect != OMEN_LOCK_STRAY); /* base order */
  if (event->kind == OMEN_WAIT)
    step->depth = p->holds.holds.data[lock.hold].depth[OMEN_LOCK_WRITE] - 1;
  omen_holds_step (&p->holds, event);
  if (event->kind == OMEN_WAKE)
    step->depth = p->holds.holds.data[lock.hold].depth[OMEN_LOCK_WRITE] - 1;
  OMEN_ASSERT (step->depth != UINT32_MAX);
  if (lock.effect == OMEN_LOCK_NESTED && lock.mode == OMEN_LOCK_WRITE
      && p->c->locks[lock.lock] == OMEN_C_RWLOCK)
    step->act = OMEN_C_NESTED;
}

/* Does the thread itself hold the lock, recursively? */
static bool
holds_recursively (const plan *p, const omen_event *event)
{
  uint32_t hold
      = omen_map_get (&p->holds.map, OMEN_PAIR (event->thread, event->object));
  return p->c->locks[event->object] == OMEN_C_RECURSIVE && hold != OMEN_NONE
         && p->holds.holds.data[hold].depth[OMEN_LOCK_WRITE];
}

/* A lock that could not be had. */
static void
plan_failure (plan *p, omen_eid e, const omen_event *event)
{
  bool held;
  if (omen_c_irregular (p->c, event->object))
    held = event->kind == OMEN_READ_TRY_FAIL
               ? find_owner (p, event->object, OMEN_NONE, OMEN_LOCK_WRITE)
                     != SIZE_MAX
               : owned (p, event->object);
  else
    held = event->kind == OMEN_READ_TRY_FAIL
               ? omen_holds_written (&p->holds, event->object)
               : omen_holds_any (&p->holds, event->object);
  if (!held || holds_recursively (p, event))
    p->c->steps[e].act = OMEN_C_SUCCEED;
}

static void
plan_arrival (plan *p, omen_eid e, const omen_event *event)
{
  omen_c_barrier *barrier = &p->c->barriers[event->object];
  omen_eid next = omen_c_next (p->c, e);
  if (!barrier->parties)
    barrier->parties = (uint32_t)event->value;
  if (barrier->parties != event->value
      || (next != OMEN_NONE
          && (p->c->trace->events.data[next].kind != OMEN_DEPART
              || p->c->trace->events.data[next].object != event->object)))
    barrier->split = true;
  OMEN_ASSERT (event->value && barrier->arrived < event->value);
  p->c->steps[e].depth = p->rounds[event->object];
  if (++barrier->arrived == event->value) {
    p->c->steps[e].completes = true;
    p->rounds[event->object]++;
    barrier->arrived = 0;
  }
}

static void
plan_event (plan *p, omen_eid e, const omen_event *event)
{
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
  case OMEN_WAIT:
  case OMEN_WAKE:
    plan_lock (p, e, event);
    break;
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
  case OMEN_LOCK_FAIL:
    plan_failure (p, e, event);
    break;
  case OMEN_JOIN:
    if (p->joined[event->object])
      p->c->steps[e].act = OMEN_C_AGAIN;
    p->joined[event->object] = 1;
    break;
  case OMEN_ARRIVE:
    plan_arrival (p, e, event);
    break;
  default:
    break;
  }
}

/* ---- threads ---- */

static void
plan_threads (plan *p)
{
  omen_c *c = p->c;
  const omen_trace *trace = c->trace;
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    uint32_t count = trace->threads.data[t].count;
    const omen_event *last;
    omen_eid e;
    c->threads[t].joined = p->joined[t];
    if (!count)
      continue;
    e = omen_trace_nth (trace, t, count - 1);
    last = omen_trace_event (trace, e);
    c->threads[t].pending = last->kind == OMEN_REQUEST;
    c->threads[t].blocked
        = last->kind == OMEN_REQUEST || last->kind == OMEN_WAIT
          || (last->kind == OMEN_ARRIVE
              && c->steps[e].depth == p->rounds[last->object]);
  }
}

/* The first thread of a program is main's, if there is but one such thread and
   it comes to its end. */
static omen_tid
thread_of_main (const omen_c *c)
{
  omen_tid root = OMEN_NONE;
  for (omen_tid t = 0; t < c->trace->threads.count; t++)
    if (c->trace->threads.data[t].forked_by == OMEN_NONE) {
      if (root != OMEN_NONE)
        return OMEN_NONE;
      root = t;
    }
  if (root != OMEN_NONE
      && (c->threads[root].joined || c->threads[root].blocked))
    return OMEN_NONE;
  return root;
}

static void
find_guards (omen_c *c)
{
  for (omen_eid e = 0; e < c->trace->events.count; e++) {
    const omen_event *event = omen_trace_event (c->trace, e);
    if (event->kind == OMEN_WAIT && omen_c_on_guard (c, event))
      c->guarded[event->object] = 1;
  }
}

/* Every event has a place in the run, those of a thread in its order. */
__attribute__ ((unused)) static bool
positions_right (const omen_c *c)
{
  for (omen_eid e = 0; e < c->trace->events.count; e++) {
    omen_eid next = omen_c_next (c, e);
    if (omen_c_at (c, c->steps[e].position) != e
        || (next != OMEN_NONE
            && c->steps[next].position <= c->steps[e].position))
      return false;
  }
  return true;
}

static void
walk (plan *p)
{
  omen_c *c = p->c;
  omen_holds_init (&p->holds, c->trace);
  for (uint32_t i = 0; i < c->trace->events.count; i++) {
    omen_eid e = omen_c_at (c, i);
    c->steps[e].position = i;
    plan_event (p, e, omen_trace_event (c->trace, e));
  }
  omen_holds_fini (&p->holds);
  OMEN_CHECK (positions_right (c));
}

bool
omen_c_plan (omen_c *c)
{
  const omen_trace *trace = c->trace;
  const omen_names *names = trace->names;
  plan p = { .c = c };
  if (!omen_wellformed (trace, &c->base, c->err))
    return false;
  c->steps = omen_zalloc (trace->events.count, sizeof *c->steps);
  c->locks = omen_zalloc (names[OMEN_OPERAND_LOCK].count, 1);
  c->threads = omen_zalloc (trace->threads.count, sizeof *c->threads);
  c->barriers
      = omen_zalloc (names[OMEN_OPERAND_BARRIER].count, sizeof *c->barriers);
  c->guarded = omen_zalloc (names[OMEN_OPERAND_CONDITION].count, 1);
  p.joined = omen_zalloc (trace->threads.count, 1);
  p.rounds = omen_zalloc (names[OMEN_OPERAND_BARRIER].count, sizeof *p.rounds);
  find_lock_kinds (c);
  walk (&p);
  plan_threads (&p);
  find_guards (c);
  c->main = thread_of_main (c);
  OMEN_VEC_FINI (p.owners);
  omen_free (p.joined);
  omen_free (p.rounds);
  return true;
}

void
omen_c_plan_fini (omen_c *c)
{
  if (!c->steps)
    return;
  omen_base_order_fini (&c->base);
  omen_free (c->steps);
  omen_free (c->locks);
  omen_free (c->threads);
  omen_free (c->barriers);
  omen_free (c->guarded);
}
