#include "report/because.h"
#include "base/print.h"

/* ---- locks ---- */

/* The acquire of a lock that the thread still holds after its first `count`
   events, or OMEN_NONE. */
static omen_eid
taken_at (const omen_trace *trace, omen_tid t, uint32_t count, omen_lid lock)
{
  omen_eid taken = OMEN_NONE;
  for (uint32_t i = 0; i < count; i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    const omen_event *event = omen_trace_event (trace, e);
    bool waits = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
    if (waits ? event->value != lock
              : omen_kind_operand (event->kind) != OMEN_OPERAND_LOCK
                    || event->object != lock)
      continue;
    if (event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE
        || event->kind == OMEN_WAKE)
      taken = e;
    else if (event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE
             || event->kind == OMEN_WAIT)
      taken = OMEN_NONE;
  }
  return taken;
}

/* How many events of the thread are in the witness. */
static uint32_t
done_of (const omen_trace *trace, const omen_finding *finding, omen_tid t)
{
  const omen_ids *sigma = &finding->witness.sequence;
  uint32_t done = 0;
  for (size_t i = 0; i < sigma->count; i++)
    done += omen_trace_event (trace, sigma->data[i])->thread == t;
  return done;
}

static bool
is_member (const omen_trace *trace, const omen_finding *finding, omen_tid t)
{
  const omen_ids *events = &finding->witness.claim.events;
  for (size_t i = 0; i < events->count; i++)
    if (omen_trace_event (trace, events->data[i])->thread == t)
      return true;
  return false;
}

/* Find the holder of the lock after the witness; preferably the waiting thread
   itself. */
static void
find_holder (const omen_trace *trace, const omen_finding *finding,
             omen_lid lock, omen_because *why)
{
  omen_tid own = omen_trace_event (trace, why->event)->thread;
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    omen_eid taken = taken_at (trace, t, done_of (trace, finding, t), lock);
    if (taken == OMEN_NONE || (why->holder != OMEN_NONE && t != own))
      continue;
    why->holder = t;
    why->since = taken;
    why->ended = !is_member (trace, finding, t);
  }
}

static void
find_next_holder (const omen_trace *trace, const omen_ids *events,
                  omen_lid lock, omen_because *why)
{
  for (size_t i = 0; i < events->count; i++)
    if (events->data[i] == why->event) {
      omen_eid next = events->data[(i + 1) % events->count];
      why->holder = omen_trace_event (trace, next)->thread;
      why->since = taken_at (trace, why->holder, trace->index[next], lock);
    }
}

static void
explain_lock (const omen_trace *trace, const omen_finding *finding,
              omen_because *why)
{
  omen_lid lock = omen_reporter_wanted (trace, why->event);
  OMEN_ASSERT (lock != OMEN_NONE);
  why->object = omen_names_text (&trace->names[OMEN_OPERAND_LOCK], lock);
  if (finding->witness.claim.kind == OMEN_CLAIM_STUCK)
    find_holder (trace, finding, lock, why);
  else
    find_next_holder (trace, &finding->witness.claim.events, lock, why);
  why->kind = why->holder == omen_trace_event (trace, why->event)->thread
                  ? "own lock"
                  : "lock";
}

/* ---- the others ---- */

/* State of a walk over the witness: the threads asleep on the condition. */
typedef struct waiting_state {
  uint32_t asleep;
  bool waits, woken; /* the thread itself: is waiting; a notify came since */
} waiting_state;

static bool
is_return (const omen_trace *trace, omen_eid e, uint32_t condition)
{
  const omen_event *event = omen_trace_event (trace, e), *before;
  if (!trace->index[e] || event->kind != OMEN_WAKE
      || !(event->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS)))
    return false;
  before = omen_trace_event (
      trace, omen_trace_nth (trace, event->thread, trace->index[e] - 1));
  return before->kind == OMEN_WAIT && before->object == condition;
}

static void
note_notify (const omen_trace *trace, omen_eid e, waiting_state *s,
             omen_because *why)
{
  bool one = omen_trace_event (trace, e)->kind == OMEN_NOTIFY;
  if (!s->waits) {
    why->since = e;
    why->lost = !s->asleep;
    why->past = true;
  } else {
    s->woken = true;
    if (why->since == OMEN_NONE)
      why->since = e;
  }
  s->asleep = one && s->asleep ? s->asleep - 1 : 0;
}

/* Find the notify that explains a wait: the last one before it, or else the
   first one after it, which woke another thread. But if the lock of the wait is
   held, that is the reason. */
static void
explain_condition (const omen_trace *trace, const omen_finding *finding,
                   omen_because *why)
{
  const omen_event *wait = omen_trace_event (trace, why->event);
  const omen_ids *sigma = &finding->witness.sequence;
  omen_because lock = *why;
  waiting_state s = { 0 };
  why->kind = "condition";
  why->object
      = omen_names_text (&trace->names[OMEN_OPERAND_CONDITION], wait->object);
  for (size_t i = 0; i < sigma->count; i++) {
    omen_eid e = sigma->data[i];
    const omen_event *event = omen_trace_event (trace, e);
    s.waits = s.waits || e == why->event;
    if (is_return (trace, e, wait->object))
      s.asleep -= s.asleep > 0;
    else if (omen_kind_operand (event->kind) != OMEN_OPERAND_CONDITION
             || event->object != wait->object)
      continue;
    else if (event->kind == OMEN_WAIT)
      s.asleep++;
    else if (event->kind != OMEN_WAKE)
      note_notify (trace, e, &s, why);
  }
  lock.kind = why->kind;
  lock.object = why->object;
  if (wait->value != OMEN_NONE)
    find_holder (trace, finding, (omen_lid)wait->value, &lock);
  lock.woken = s.woken;
  if (lock.holder != OMEN_NONE)
    *why = lock;
}

static void
explain_barrier (const omen_trace *trace, const omen_finding *finding,
                 omen_because *why)
{
  const omen_ids *sigma = &finding->witness.sequence;
  const omen_event *arrive = omen_trace_event (trace, why->event);
  uint64_t came = 0;
  for (size_t i = 0; i < sigma->count; i++) {
    const omen_event *event = omen_trace_event (trace, sigma->data[i]);
    came += event->kind == OMEN_ARRIVE && event->object == arrive->object;
  }
  why->kind = "barrier";
  why->object
      = omen_names_text (&trace->names[OMEN_OPERAND_BARRIER], arrive->object);
  why->of = arrive->value;
  why->missing = arrive->value - came % arrive->value;
}

omen_because
omen_because_of (const omen_trace *trace, const omen_finding *finding,
                 omen_eid e)
{
  const omen_event *event = omen_trace_event (trace, e);
  omen_because why = { .event = e, .holder = OMEN_NONE, .since = OMEN_NONE };
  if (finding->kind != OMEN_FINDING_DEADLOCK)
    return why;
  if (finding->witness.claim.kind != OMEN_CLAIM_STUCK
      || omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK) {
    explain_lock (trace, finding, &why);
    return why;
  }
  switch (event->kind) {
  case OMEN_WAIT:
    explain_condition (trace, finding, &why);
    break;
  case OMEN_ARRIVE:
    explain_barrier (trace, finding, &why);
    break;
  case OMEN_SEM_DOWN:
  case OMEN_SEM_REQUEST:
    why.kind = "semaphore";
    why.object = omen_names_text (&trace->names[OMEN_OPERAND_SEMAPHORE],
                                  event->object);
    break;
  default:
    why.kind = "thread";
    why.object = omen_trace_thread_name (trace, event->object);
    why.holder = event->object;
    break;
  }
  return why;
}

/* ---- words ---- */

static void
print_since (const omen_trace *trace, const char *before, omen_eid since,
             FILE *out)
{
  const char *location
      = since == OMEN_NONE ? "" : omen_trace_location (trace, since);
  if (*location)
    omen_print (out, "%s%s", before, location);
}

/* ", which T2 holds since f.c:3" */
static void
print_holder (const omen_trace *trace, const omen_because *why, FILE *out)
{
  if (why->holder == OMEN_NONE)
    return;
  omen_print (out, ", which %s %s", omen_trace_thread_name (trace, why->holder),
              why->ended ? "held when it ended" : "holds");
  print_since (trace, why->ended ? ", taken at " : " since ", why->since, out);
}

static void
print_condition (const omen_trace *trace, const omen_because *why, FILE *out)
{
  const omen_event *wait = omen_trace_event (trace, why->event);
  if (why->holder != OMEN_NONE) {
    omen_print (out,
                why->woken ? "was notified of %s and waits for %s"
                           : "waits for %s, and to go on for %s",
                why->object,
                omen_names_text (&trace->names[OMEN_OPERAND_LOCK],
                                 (omen_lid)wait->value));
    print_holder (trace, why, out);
  } else if (why->since == OMEN_NONE)
    omen_print (out,
                wait->value == OMEN_NONE
                    ? "sleeps at %s, and nobody woke it"
                    : "waits for %s, which nobody ever notified",
                why->object);
  else {
    const omen_event *notify = omen_trace_event (trace, why->since);
    omen_print (
        out,
        why->lost ? "waits for %s: lost wakeup, the last %s came before, "
                    "when nobody waited, from %s"
        : why->past
            ? "waits for %s: the last %s came before and woke another "
              "one, from %s"
            : "waits for %s: the %s that came woke another one, from %s",
        why->object, omen_kind_text (notify->kind),
        omen_trace_thread_name (trace, notify->thread));
    print_since (trace, " at ", why->since, out);
  }
}

void
omen_because_print (const omen_trace *trace, const omen_because *why, FILE *out)
{
  OMEN_REQUIRE (why->kind);
  switch (*why->kind) {
  case 'l':
    omen_print (out, "waits for %s", why->object);
    print_holder (trace, why, out);
    break;
  case 'o':
    omen_print (out, "waits for %s, which it holds itself", why->object);
    print_since (trace, " since ", why->since, out);
    break;
  case 'c':
    print_condition (trace, why, out);
    break;
  case 's':
    omen_print (out, "waits for %s to be posted: its count is 0", why->object);
    break;
  case 'b':
    omen_print (out, "waits at %s for %llu more thread%s of %llu", why->object,
                (unsigned long long)why->missing, omen_s (why->missing),
                (unsigned long long)why->of);
    break;
  default:
    omen_print (out, "waits for %s to end", why->object);
    break;
  }
}
