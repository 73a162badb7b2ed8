/* TRUSTED. What follows from each thread's own events: which locks it holds at
   which depth, which locks are irregular, where waits return, which event
   forked it. */
#include "witness/verify_facts.h"

/* Depth of one thread's holds, by lock. */
typedef struct depths {
  uint32_t *write, *read;
  uint32_t saved; /* depth released by the wait just before */
} depths;

omen_lid
omen_facts_lock (const omen_trace *trace, omen_eid e)
{
  const omen_event *event = omen_trace_event (trace, e);
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
    return event->object;
  case OMEN_WAIT:
  case OMEN_WAKE:
    return (omen_lid)event->value;
  default:
    return OMEN_NONE;
  }
}

static unsigned
acquire_lock (uint32_t *own, const uint32_t *other)
{
  unsigned flags = *own ? OMEN_FACT_NESTED : 0;
  OMEN_ASSERT (own != other);
  if (*other)
    flags |= OMEN_FACT_CROSSED;
  ++*own;
  return flags;
}

static unsigned
release_lock (uint32_t *own)
{
  if (!*own)
    return OMEN_FACT_UNHELD;
  OMEN_ASSERT (*own < OMEN_NONE);
  return --*own ? OMEN_FACT_NESTED : 0;
}

/* A wait releases the lock at any depth, the wake restores that depth. */
static unsigned
release_all (depths *d, omen_lid lock)
{
  d->saved = d->write[lock];
  d->write[lock] = 0;
  return d->saved ? 0 : OMEN_FACT_UNHELD;
}

static unsigned
reacquire (depths *d, omen_lid lock, bool waited_with_lock)
{
  unsigned flags = d->write[lock] ? OMEN_FACT_NESTED : 0;
  if (d->write[lock] || d->read[lock])
    flags |= OMEN_FACT_CROSSED;
  OMEN_ASSERT (!waited_with_lock || !d->write[lock]);
  if (waited_with_lock && !d->saved)
    return flags | OMEN_FACT_UNHELD;
  d->write[lock] += waited_with_lock ? d->saved : 1;
  return flags;
}

static unsigned
lock_flags (const omen_trace *trace, omen_eid e, omen_eid previous, depths *d)
{
  const omen_event *event = omen_trace_event (trace, e);
  omen_lid lock = omen_facts_lock (trace, e);
  if (lock == OMEN_NONE)
    return 0;
  OMEN_ASSERT (lock < trace->names[OMEN_OPERAND_LOCK].count);
  switch (event->kind) {
  case OMEN_ACQUIRE:
    return acquire_lock (&d->write[lock], &d->read[lock]);
  case OMEN_READ_ACQUIRE:
    return acquire_lock (&d->read[lock], &d->write[lock]);
  case OMEN_RELEASE:
    return release_lock (&d->write[lock]);
  case OMEN_READ_RELEASE:
    return release_lock (&d->read[lock]);
  case OMEN_WAIT:
    return release_all (d, lock);
  case OMEN_WAKE:
    return reacquire (d, lock, omen_facts_lock (trace, previous) != OMEN_NONE);
  default:
    return 0;
  }
}

/* The event after a wait: its own wake, or after a bare wait(c) anything. */
static bool
check_wait_pair (const omen_trace *trace, omen_eid e, omen_eid previous,
                 omen_err *err)
{
  const omen_event *event = omen_trace_event (trace, e), *wait = NULL;
  if (previous != OMEN_NONE
      && omen_trace_event (trace, previous)->kind == OMEN_WAIT)
    wait = omen_trace_event (trace, previous);
  if (event->kind != OMEN_WAKE)
    return !wait || wait->value == OMEN_NONE
           || omen_facts_refuse (trace, e, err,
                                 "stands between a wait and its wake");
  if (!wait || wait->object != event->object)
    return omen_facts_refuse (trace, e, err,
                              "does not follow a wait of its condition");
  if (wait->value != OMEN_NONE && wait->value != event->value)
    return omen_facts_refuse (trace, e, err,
                              "acquires another lock than its wait released");
  return true;
}

static bool
needs_notify (const omen_trace *trace, omen_eid e, omen_eid previous)
{
  const omen_event *event = omen_trace_event (trace, e);
  if (previous == OMEN_NONE
      || omen_trace_event (trace, previous)->kind != OMEN_WAIT)
    return false;
  return event->kind != OMEN_WAKE
         || !(event->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS));
}

static bool
makes_irregular (unsigned kind, unsigned flags)
{
  return (flags & (OMEN_FACT_CROSSED | OMEN_FACT_UNHELD))
         || (kind == OMEN_WAKE && (flags & OMEN_FACT_NESTED));
}

static bool
read_thread (omen_facts *facts, omen_tid t, depths *d, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  omen_eid previous = OMEN_NONE;
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    unsigned flags;
    if (!check_wait_pair (trace, e, previous, err))
      return false;
    OMEN_ASSERT (omen_trace_event (trace, e)->thread == t);
    flags = lock_flags (trace, e, previous, d);
    OMEN_ASSERT (!(flags & OMEN_FACT_UNHELD) || !(flags & OMEN_FACT_NESTED));
    if (makes_irregular (omen_trace_event (trace, e)->kind, flags))
      facts->irregular[omen_facts_lock (trace, e)] = true;
    if (needs_notify (trace, e, previous))
      flags |= OMEN_FACT_RETURN;
    facts->flags[e] = (uint8_t)flags;
    previous = e;
  }
  return true;
}

/* Clears the depths for the next thread; was a lock still held? */
static bool
forget_thread (const omen_trace *trace, omen_tid t, depths *d)
{
  bool held = false;
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    omen_lid lock = omen_facts_lock (trace, omen_trace_nth (trace, t, i));
    if (lock == OMEN_NONE)
      continue;
    held |= d->write[lock] || d->read[lock];
    d->write[lock] = d->read[lock] = 0;
  }
  d->saved = 0;
  return held;
}

static bool
find_forks (omen_facts *facts, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  for (omen_tid t = 0; t < trace->threads.count; t++)
    facts->fork[t] = OMEN_NONE;
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    if (event->kind != OMEN_FORK)
      continue;
    if (facts->fork[event->object] != OMEN_NONE)
      return omen_facts_refuse (trace, e, err, "forks a thread twice");
    OMEN_ASSERT (event->object < trace->threads.count);
    facts->fork[event->object] = e;
  }
  return true;
}

bool
omen_facts_threads (omen_facts *facts, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  size_t locks = trace->names[OMEN_OPERAND_LOCK].count;
  depths d = { omen_zalloc (locks + 1, sizeof (uint32_t)),
               omen_zalloc (locks + 1, sizeof (uint32_t)), 0 };
  bool ok = find_forks (facts, err);
  for (omen_tid t = 0; ok && t < trace->threads.count; t++) {
    ok = read_thread (facts, t, &d, err);
    facts->ends_held[t] = forget_thread (trace, t, &d);
  }
  omen_free (d.write);
  omen_free (d.read);
  return ok;
}

/* +1: the event makes the thread hold in that mode; -1: not any more. */
static int
change_of_hold (const omen_facts *facts, omen_eid e, bool write)
{
  unsigned kind = omen_trace_event (facts->trace, e)->kind;
  if (facts->flags[e] & (OMEN_FACT_NESTED | OMEN_FACT_UNHELD))
    return 0;
  if (write)
    return kind == OMEN_ACQUIRE || kind == OMEN_WAKE   ? 1
           : kind == OMEN_RELEASE || kind == OMEN_WAIT ? -1
                                                       : 0;
  return kind == OMEN_READ_ACQUIRE ? 1 : kind == OMEN_READ_RELEASE ? -1 : 0;
}

bool
omen_facts_holds (const omen_facts *facts, omen_tid t, uint32_t upto,
                  omen_lid lock, bool write)
{
  OMEN_ASSERT (upto <= facts->trace->threads.data[t].count);
  OMEN_ASSERT (lock < facts->trace->names[OMEN_OPERAND_LOCK].count);
  for (uint32_t i = upto; i-- > 0;) {
    omen_eid e = omen_trace_nth (facts->trace, t, i);
    int change = 0;
    if (omen_facts_lock (facts->trace, e) == lock)
      change = change_of_hold (facts, e, write);
    if (change)
      return change > 0;
  }
  return false;
}
