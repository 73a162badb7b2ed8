/* What must come before an event whatever the rest of σ is like, and the pieces
   of condition variables and semaphores. */
#include "facts.h"

static event_set
events_before (const facts *f, unsigned e)
{
  event_set before = 0;
  for (unsigned k = 0; k < f->rank[e]; k++)
    before |= ONE (f->order[k]);
  return before;
}

/* The events of this kind on this object. */
static event_set
events_on (const facts *f, unsigned kind, uint32_t object)
{
  event_set found = 0;
  for (unsigned e = 0; e < f->count; e++)
    if (f->kind[e] == kind && facts_event (f, e)->object == object)
      found |= ONE (e);
  return found;
}

static void
need_fork_and_join (facts *f, unsigned e)
{
  uint32_t child = facts_event (f, e)->object;
  if (f->kind[e] == OMEN_FORK) {
    for (unsigned i = 0; i < f->count; i++)
      if (HAS (f->of_thread[child], i)
          || (f->kind[i] == OMEN_JOIN && facts_event (f, i)->object == child))
        f->need[i] |= ONE (e);
  } else if (f->kind[e] == OMEN_JOIN)
    f->need[e] |= f->of_thread[child];
}

static void
need_signals (facts *f, unsigned e)
{
  if (f->kind[e] == OMEN_HAPPENS_AFTER)
    f->need[e] |= events_on (f, OMEN_HAPPENS_BEFORE, facts_event (f, e)->object)
                  & events_before (f, e);
}

/* Operations on the irregular lock l. */
static event_set
lock_operations (const facts *f, uint32_t l)
{
  event_set found = 0;
  for (unsigned e = 0; e < f->count; e++) {
    const omen_event *event = facts_event (f, e);
    switch (f->kind[e]) {
    case OMEN_ACQUIRE:
    case OMEN_RELEASE:
    case OMEN_READ_ACQUIRE:
    case OMEN_READ_RELEASE:
    case OMEN_TRY_FAIL:
    case OMEN_READ_TRY_FAIL:
      found |= event->object == l ? ONE (e) : 0;
      break;
    case OMEN_WAIT:
    case OMEN_WAKE:
      found |= event->value == l ? ONE (e) : 0;
      break;
    default:
      break;
    }
  }
  return found;
}

/* Each of `events` after all that precede it. */
static void
keep_order (facts *f, event_set events)
{
  for (unsigned e = 0; e < f->count; e++)
    if (HAS (events, e))
      f->need[e] |= events & events_before (f, e);
}

/* `e` after the events that precede it, the others after e. */
static void
keep_place (facts *f, unsigned e, event_set events)
{
  event_set before = events & events_before (f, e);
  f->need[e] |= before;
  for (unsigned i = 0; i < f->count; i++)
    if (i != e && HAS (events & ~before, i))
      f->need[i] |= ONE (e);
}

/* Group the arrivals at barrier b into rounds; each round needs the one before,
   departures need their own. */
static bool
need_rounds (facts *f, uint32_t b, omen_err *err)
{
  event_set round = 0, before = 0, round_of[ORACLE_EVENTS] = { 0 };
  event_set latest[MOST_THREADS] = { 0 };
  uint64_t size = 0;
  unsigned here = 0;
  for (unsigned k = 0; k < f->count; k++) {
    unsigned e = f->order[k];
    const omen_event *event = facts_event (f, e);
    if (f->kind[e] != OMEN_ARRIVE || event->object != b)
      continue;
    if (here == size)
      before = round, round = 0, here = 0, size = event->value;
    if (!size || event->value != size)
      return omen_err_set (err, "oracle", "event %u: size of the round", e);
    f->need[e] |= before;
    round |= ONE (e);
    here++;
    for (unsigned i = 0; i < f->count; i++)
      if (HAS (round, i))
        round_of[i] = round;
  }
  if (here < size) /* no departures from a round that is not complete */
    for (unsigned i = 0; i < f->count; i++)
      if (HAS (round, i))
        round_of[i] = 0;
  for (unsigned k = 0; k < f->count; k++) {
    unsigned e = f->order[k], t = f->thread[e];
    if (facts_event (f, e)->object != b)
      continue;
    if (f->kind[e] == OMEN_ARRIVE)
      latest[t] = round_of[e];
    if (f->kind[e] == OMEN_DEPART && !latest[t])
      return omen_err_set (err, "oracle", "event %u: no such round", e);
    if (f->kind[e] == OMEN_DEPART)
      f->need[e] |= latest[t];
  }
  return true;
}

static bool
read_wait (facts *f, unsigned e, omen_err *err)
{
  condition_wait *w = &f->wait[f->wait_count];
  uint32_t c = facts_event (f, e)->object;
  if (f->wait_count == MOST_WAITS)
    return facts_too_much (f, err, "waits");
  w->wait = (uint8_t)e;
  w->back = f->next[e];
  w->notifies = events_on (f, OMEN_NOTIFY, c);
  w->alls = events_on (f, OMEN_NOTIFY_ALL, c);
  w->needs = w->back != NOBODY
             && !(f->kind[w->back] == OMEN_WAKE
                  && facts_event (f, w->back)->mode
                         & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS));
  if (w->back != NOBODY)
    f->wait_of[w->back] = (uint8_t)f->wait_count;
  f->wait_count++;
  return true;
}

/* The least count that makes the downs of this epoch legal. */
static int64_t
least_count (const facts *f, const epoch *first)
{
  int64_t count = 0, least = 0;
  for (unsigned k = 0; k < f->count; k++) {
    unsigned e = f->order[k];
    count += HAS (first->ups, e) ? 1 : HAS (first->downs, e) ? -1 : 0;
    if (-count > least)
      least = -count;
  }
  return least;
}

static event_set
semaphore_operations (const facts *f, uint32_t s)
{
  return events_on (f, OMEN_SEM_INIT, s) | events_on (f, OMEN_SEM_UP, s)
         | events_on (f, OMEN_SEM_DOWN, s) | events_on (f, OMEN_SEM_FAIL, s);
}

static bool
read_semaphore (facts *f, uint32_t s, omen_err *err)
{
  epoch *now = &f->epoch[f->epoch_count];
  unsigned first = f->epoch_count;
  if (first == MOST_EPOCHS)
    return facts_too_much (f, err, "semaphores");
  *now = (epoch){ .semaphore = s, .init = NOBODY };
  for (unsigned k = 0; k < f->count; k++) {
    unsigned e = f->order[k];
    if (!HAS (semaphore_operations (f, s), e))
      continue;
    if (f->kind[e] == OMEN_SEM_INIT) {
      if (++f->epoch_count == MOST_EPOCHS)
        return facts_too_much (f, err, "seminits");
      *++now = (epoch){ .semaphore = s,
                        .init = (uint8_t)e,
                        .count = (int64_t)facts_event (f, e)->value };
      keep_place (f, e, semaphore_operations (f, s));
    } else if (f->kind[e] == OMEN_SEM_UP)
      now->ups |= ONE (e);
    else if (f->kind[e] == OMEN_SEM_DOWN)
      now->downs |= ONE (e);
  }
  f->epoch_count++;
  f->epoch[first].count = least_count (f, &f->epoch[first]);
  return true;
}

int64_t
facts_semaphore (const facts *f, unsigned e, event_set cut)
{
  int64_t count = 0;
  for (unsigned i = 0; i < f->epoch_count; i++) {
    const epoch *now = &f->epoch[i];
    if (now->semaphore == facts_event (f, e)->object
        && (now->init == NOBODY || HAS (cut, now->init)))
      count = now->count + __builtin_popcountll (now->ups & cut)
              - __builtin_popcountll (now->downs & cut);
  }
  return count;
}

static bool
need_by_kind (facts *f, unsigned e, omen_err *err)
{
  if (f->previous[e] != NOBODY)
    f->need[e] |= ONE (f->previous[e]);
  need_fork_and_join (f, e);
  need_signals (f, e);
  return f->kind[e] != OMEN_WAIT || read_wait (f, e, err);
}

bool
facts_sync (facts *f, omen_err *err)
{
  const omen_names *names = f->trace->names;
  for (unsigned e = 0; e < f->count; e++)
    if (!need_by_kind (f, e, err))
      return false;
  for (uint32_t l = 0; l < names[OMEN_OPERAND_LOCK].count; l++)
    if (HAS (f->irregular, l)) {
      f->irregular_use |= lock_operations (f, l);
      keep_order (f, lock_operations (f, l));
    }
  for (uint32_t b = 0; b < names[OMEN_OPERAND_BARRIER].count; b++)
    if (!need_rounds (f, b, err))
      return false;
  for (uint32_t s = 0; s < names[OMEN_OPERAND_SEMAPHORE].count; s++)
    if (!read_semaphore (f, s, err))
      return false;
  return true;
}
