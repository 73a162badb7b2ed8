/* Rules 1, 3 and 4, as statements about all events of a sequence. */
#include "check.h"

/* f stands in s before e does. */
static bool
before (const check_sequence *s, omen_eid f, omen_eid e)
{
  return s->step[f] != NOWHERE && s->step[f] < s->step[e];
}

static bool
earlier_in_trace (const check *c, omen_eid f, omen_eid e)
{
  return c->base.step[f] < c->base.step[e];
}

static bool
same_object (const check *c, omen_eid e, omen_eid f, omen_operand operand)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, f);
  return omen_kind_operand (x->kind) == operand
         && omen_kind_operand (y->kind) == operand && x->object == y->object;
}

/* ---- semaphores ---- */
static bool
legal_from (const check *c, uint32_t semaphore, uint64_t count)
{
  for (unsigned i = 0; i < c->events; i++) {
    const omen_event *x = check_event (c, c->base.event[i]);
    if (omen_kind_operand (x->kind) != OMEN_OPERAND_SEMAPHORE
        || x->object != semaphore)
      continue;
    if (x->kind == OMEN_SEM_INIT)
      return true;
    if ((x->kind == OMEN_SEM_DOWN && !count)
        || (x->kind == OMEN_SEM_FAIL && count))
      return false;
    count += x->kind == OMEN_SEM_UP;
    count -= x->kind == OMEN_SEM_DOWN;
  }
  return true;
}

uint64_t
check_count_before (const check *c, uint32_t semaphore)
{
  uint64_t count = 0;
  while (!legal_from (c, semaphore, count)) {
    count++;
    OMEN_REQUIRE (count <= c->events);
  }
  return count;
}

static uint64_t
count_at (const check *c, const check_sequence *s, unsigned steps,
          uint32_t semaphore)
{
  uint64_t count = check_count_before (c, semaphore);
  for (unsigned i = 0; i < steps; i++) {
    const omen_event *x = check_event (c, s->event[i]);
    if (omen_kind_operand (x->kind) != OMEN_OPERAND_SEMAPHORE
        || x->object != semaphore)
      continue;
    if (x->kind == OMEN_SEM_INIT)
      count = x->value;
    count += x->kind == OMEN_SEM_UP;
    count -= x->kind == OMEN_SEM_DOWN;
  }
  return count;
}

/* ---- barriers ---- */
unsigned
check_round (const check *c, omen_eid e)
{
  const omen_event *x = check_event (c, e);
  unsigned round = 0, missing = 0;
  omen_eid arrival = e;
  if (x->kind == OMEN_DEPART) {
    uint32_t i = c->trace->index[e];
    do
      arrival = omen_trace_nth (c->trace, x->thread, --i);
    while (check_event (c, arrival)->kind != OMEN_ARRIVE
           || check_event (c, arrival)->object != x->object);
  }
  for (unsigned i = 0; i < c->events; i++) {
    const omen_event *y = check_event (c, c->base.event[i]);
    if (y->kind != OMEN_ARRIVE || y->object != x->object)
      continue;
    if (!missing) {
      missing = (unsigned)y->value;
      round++;
    }
    missing--;
    if (c->base.event[i] == arrival)
      return round;
  }
  OMEN_REQUIRE (!"the arrival is in the trace");
  return 0;
}

/* How many arrivals round r of e's barrier has by its first arrival's word. */
static bool
round_completes (const check *c, omen_eid e, unsigned r)
{
  uint64_t size = 0, arrivals = 0;
  for (unsigned i = 0; i < c->events; i++) {
    omen_eid f = c->base.event[i];
    if (!same_object (c, e, f, OMEN_OPERAND_BARRIER)
        || check_event (c, f)->kind != OMEN_ARRIVE || check_round (c, f) != r)
      continue;
    size = size ? size : check_event (c, f)->value;
    arrivals++;
  }
  return size == arrivals;
}

static bool
barrier_rule (const check *c, const check_sequence *s, omen_eid e)
{
  bool depart = check_event (c, e)->kind == OMEN_DEPART;
  unsigned needed = depart ? check_round (c, e) : check_round (c, e) - 1;
  for (omen_eid f = 0; f < c->events; f++)
    if (same_object (c, e, f, OMEN_OPERAND_BARRIER)
        && check_event (c, f)->kind == OMEN_ARRIVE
        && check_round (c, f) == needed && !before (s, f, e))
      return false;
  return !depart || round_completes (c, e, needed);
}

/* ---- notifies ---- */
bool
check_needs_notify (const check *c, omen_eid e)
{
  const omen_event *x = check_event (c, e);
  omen_eid wait;
  if (!c->trace->index[e])
    return false;
  wait = omen_trace_nth (c->trace, x->thread, c->trace->index[e] - 1);
  return check_event (c, wait)->kind == OMEN_WAIT
         && !(x->kind == OMEN_WAKE
              && (x->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS)));
}

static bool
can_serve (const check *c, const check_sequence *s, omen_eid notify,
           omen_eid back, unsigned kind)
{
  omen_eid wait = omen_trace_nth (c->trace, check_event (c, back)->thread,
                                  c->trace->index[back] - 1);
  return check_event (c, notify)->kind == kind
         && check_event (c, notify)->object == check_event (c, wait)->object
         && s->step[notify] != NOWHERE && before (s, wait, notify)
         && before (s, notify, back);
}

/* A matching of returns and notifies, grown along alternating paths. taken[n]:
   the return that notify n serves. */
static bool
match (const check *c, const check_sequence *s, omen_eid back,
       omen_eid taken[CHECK_EVENTS], bool tried[CHECK_EVENTS])
{
  for (omen_eid n = 0; n < c->events; n++)
    if (can_serve (c, s, n, back, OMEN_NOTIFY_ALL))
      return true;
  for (omen_eid n = 0; n < c->events; n++) {
    if (tried[n] || !can_serve (c, s, n, back, OMEN_NOTIFY))
      continue;
    tried[n] = true;
    if (taken[n] == OMEN_NONE || match (c, s, taken[n], taken, tried)) {
      taken[n] = back;
      return true;
    }
  }
  return false;
}

static bool
notify_rule (const check *c, const check_sequence *s)
{
  omen_eid taken[CHECK_EVENTS];
  for (unsigned n = 0; n < CHECK_EVENTS; n++)
    taken[n] = OMEN_NONE;
  for (unsigned i = 0; i < s->count; i++) {
    bool tried[CHECK_EVENTS] = { false };
    if (check_needs_notify (c, s->event[i])
        && !match (c, s, s->event[i], taken, tried))
      return false;
  }
  return true;
}

/* The map of synchronised order, worked out anew up to `back`. */
omen_eid
check_notify (const check *c, const check_sequence *s, omen_eid back)
{
  bool used[CHECK_EVENTS] = { false };
  for (unsigned i = 0; i <= (unsigned)s->step[back]; i++) {
    omen_eid served = OMEN_NONE;
    if (!check_needs_notify (c, s->event[i]))
      continue;
    for (unsigned k = 0; k < i && served == OMEN_NONE; k++)
      if (can_serve (c, s, s->event[k], s->event[i], OMEN_NOTIFY_ALL))
        served = s->event[k];
    for (unsigned k = 0; k < i && served == OMEN_NONE; k++)
      if (!used[s->event[k]]
          && can_serve (c, s, s->event[k], s->event[i], OMEN_NOTIFY)) {
        served = s->event[k];
        used[served] = true;
      }
    if (s->event[i] == back)
      return served;
  }
  return OMEN_NONE;
}

/* ---- the others ---- */
static bool
keeps_place (const check *c, const check_sequence *s, omen_eid e, omen_eid f)
{
  return earlier_in_trace (c, f, e) ? before (s, f, e)
                                    : s->step[f] == NOWHERE || before (s, e, f);
}

/* What e, in s, asks of another event f of the trace. */
static bool
pair_rule (const check *c, const check_sequence *s, omen_eid e, omen_eid f)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, f);
  if (x->thread == y->thread && c->trace->index[f] < c->trace->index[e]
      && !before (s, f, e))
    return false;
  if (y->kind == OMEN_FORK && y->object == x->thread && c->trace->index[e] == 0
      && !before (s, f, e))
    return false;
  if (x->kind == OMEN_JOIN
      && (y->thread == x->object
          || (y->kind == OMEN_FORK && y->object == x->object))
      && !before (s, f, e))
    return false;
  if (x->kind == OMEN_JOIN && y->thread == x->object
      && omen_kind_reads (y->kind) && !check_preserved (c, s, f))
    return false;
  if (x->kind == OMEN_HAPPENS_AFTER && y->kind == OMEN_HAPPENS_BEFORE
      && x->object == y->object && earlier_in_trace (c, f, e)
      && !before (s, f, e))
    return false;
  if (same_object (c, e, f, OMEN_OPERAND_SEMAPHORE)) {
    if (x->kind == OMEN_SEM_INIT && !keeps_place (c, s, e, f))
      return false;
    if (y->kind == OMEN_SEM_INIT && earlier_in_trace (c, f, e)
        && !before (s, f, e))
      return false;
  }
  return true;
}

/* The same for two accesses that overlap. */
static bool
access_rule (const check *c, const check_sequence *s, omen_eid e, omen_eid f)
{
  const omen_event *x = check_event (c, e), *y = check_event (c, f);
  if (y->kind == OMEN_ALLOC && !before (s, f, e))
    return false;
  if (x->kind == OMEN_EXTERNAL && !keeps_place (c, s, e, f))
    return false;
  return y->kind != OMEN_EXTERNAL || !earlier_in_trace (c, f, e)
         || before (s, f, e);
}

static bool
event_rules (const check *c, const check_sequence *s, omen_eid e)
{
  const omen_event *x = check_event (c, e);
  for (omen_eid f = 0; f < c->events; f++)
    if (f != e
        && (!pair_rule (c, s, e, f)
            || (check_overlap (c, e, f) && !access_rule (c, s, e, f))))
      return false;
  if (x->kind == OMEN_FORK && x->object == x->thread)
    return false;
  if (x->kind == OMEN_SEM_DOWN)
    return count_at (c, s, (unsigned)s->step[e], x->object) > 0;
  if (x->kind == OMEN_SEM_FAIL)
    return count_at (c, s, (unsigned)s->step[e], x->object) == 0;
  if (x->kind == OMEN_ARRIVE || x->kind == OMEN_DEPART)
    return barrier_rule (c, s, e);
  return true;
}

bool
check_rules (const check *c, const check_sequence *s)
{
  for (unsigned i = 0; i < s->count; i++)
    if (!event_rules (c, s, s->event[i]))
      return false;
  return notify_rule (c, s);
}
