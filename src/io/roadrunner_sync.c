/* RoadRunner events that are printed twice, or depend on others. */
#include "io/roadrunner_reader.h"

static omen_field
lock_name (const omen_rr *rr, omen_lid lock)
{
  const omen_name *name
      = &rr->import.trace->names[OMEN_OPERAND_LOCK].names[lock];
  return (omen_field){ name->text, name->length };
}

/* ---- fork and join ---- */

bool
omen_rr_start (omen_rr *rr, const omen_rr_line *line)
{
  uint32_t number = omen_rr_number (rr, line->operand);
  char name[OMEN_RR_NAME];
  omen_rr_settle (rr, line->actor);
  if (rr->threads.data[number].joined && !rr->announced)
    omen_rr_renew (rr, number);
  if (rr->threads.data[number].forked)
    return true; /* printed before and after the call: the first one counts */
  rr->threads.data[number].forked = true;
  omen_rr_add (rr, OMEN_FORK, line->actor, omen_rr_name (rr, number, name),
               OMEN_RR_EMPTY);
  return true;
}

static void
add_join (omen_rr *rr, uint32_t actor)
{
  uint32_t number = rr->threads.data[actor].joining;
  OMEN_ASSERT (number < rr->threads.count);
  char name[OMEN_RR_NAME];
  rr->threads.data[actor].joining = OMEN_NONE;
  omen_rr_add (rr, OMEN_JOIN, actor, omen_rr_name (rr, number, name),
               OMEN_RR_EMPTY);
}

/* A join is printed before and after the call, and the last one counts; so it
   stays pending until the next line of its thread. */
bool
omen_rr_join (omen_rr *rr, const omen_rr_line *line)
{
  uint32_t number;
  if (omen_field_is (line->operand, "-1")) { /* unknown thread */
    rr->lost_joins++;
    return true;
  }
  number = omen_rr_number (rr, line->operand);
  if (rr->threads.data[line->actor].joining == number) {
    add_join (rr, line->actor);
    return true;
  }
  omen_rr_settle (rr, line->actor);
  rr->threads.data[line->actor].joining = number;
  rr->threads.data[number].joined = true;
  return true;
}

/* ---- wait and notify ---- */

static omen_rr_condition *
condition_of (omen_rr *rr, uint32_t id)
{
  while (rr->conditions.count <= id)
    OMEN_VEC_PUSH (rr->conditions, ((omen_rr_condition){ { 0 }, OMEN_NONE }));
  return &rr->conditions.data[id];
}

/* Use up the first notify after the wait; false if there is none. A notifyall
   serves any number of wakes, so it is tried first. */
static bool
explained (omen_rr_condition *condition, omen_eid wait)
{
  omen_ids *notifies = &condition->notifies;
  size_t first = notifies->count;
  if (condition->last_all != OMEN_NONE && condition->last_all > wait)
    return true;
  while (first && notifies->data[first - 1] > wait)
    first--;
  if (first == notifies->count)
    return false;
  memmove (&notifies->data[first], &notifies->data[first + 1],
           (notifies->count - first - 1) * sizeof *notifies->data);
  notifies->count--;
  return true;
}

static void
add_wake (omen_rr *rr, uint32_t actor)
{
  omen_rr_thread *thread = &rr->threads.data[actor];
  omen_event *event;
  uint32_t lock = thread->waiting;
  OMEN_ASSERT (lock != OMEN_NONE);
  omen_eid wait = thread->wait;
  thread->waiting = OMEN_NONE;
  event
      = omen_rr_add (rr, OMEN_WAKE, actor, lock_name (rr, lock), OMEN_RR_EMPTY);
  event->value = lock;
  if (!explained (condition_of (rr, event->object), wait)) {
    event->mode |= OMEN_MODE_SPURIOUS;
    rr->spurious++;
  }
}

static void
add_wait (omen_rr *rr, const omen_rr_line *line)
{
  omen_trace *trace = rr->import.trace;
  omen_rr_thread *thread;
  omen_event *event;
  uint32_t lock;
  event
      = omen_rr_add (rr, OMEN_WAIT, line->actor, line->operand, OMEN_RR_EMPTY);
  lock = omen_trace_name (trace, OMEN_OPERAND_LOCK, line->operand.text,
                          line->operand.length);
  event->value = lock;
  thread = &rr->threads.data[line->actor];
  thread->waiting = lock;
  thread->wait = (omen_eid)trace->events.count - 1;
}

bool
omen_rr_wait (omen_rr *rr, const omen_rr_line *line)
{
  uint32_t waiting = rr->threads.data[line->actor].waiting;
  omen_field before = OMEN_RR_EMPTY;
  bool post = omen_field_is (line->operation, "PostWait");
  if (waiting != OMEN_NONE)
    before = lock_name (rr, waiting);
  if (before.length && before.length == line->operand.length
      && !memcmp (before.text, line->operand.text, before.length)
      && !omen_field_is (line->operation, "PreWait")) {
    add_wake (rr, line->actor);
    return true;
  }
  if (post)
    return omen_import_fail (&rr->import, line->operation,
                             "a wait of the thread before its PostWait");
  omen_rr_settle (rr, line->actor);
  add_wait (rr, line);
  return true;
}

bool
omen_rr_notify (omen_rr *rr, const omen_rr_line *line)
{
  bool all = omen_field_is (line->third, "true");
  omen_rr_condition *condition;
  omen_event *event;
  uint32_t id;
  if (!all && line->third.length && !omen_field_is (line->third, "false"))
    return omen_import_fail (&rr->import, line->third, "true or false");
  id = omen_names_find (&rr->import.trace->names[OMEN_OPERAND_CONDITION],
                        line->operand.text, line->operand.length);
  if (id != OMEN_NONE && rr->threads.data[line->actor].notified == id) {
    rr->threads.data[line->actor].notified = OMEN_NONE;
    return true; /* the second of the two lines */
  }
  omen_rr_settle (rr, line->actor);
  event = omen_rr_add (rr, all ? OMEN_NOTIFY_ALL : OMEN_NOTIFY, line->actor,
                       line->operand, OMEN_RR_EMPTY);
  id = event->object;
  rr->threads.data[line->actor].notified = id;
  condition = condition_of (rr, id);
  if (all)
    condition->last_all = (omen_eid)rr->import.trace->events.count - 1;
  else
    OMEN_VEC_PUSH (condition->notifies,
                   (omen_eid)rr->import.trace->events.count - 1);
  return true;
}

/* ---- barriers ---- */

/* The log does not say the size of a barrier: it is the number of arrivals
   before the first departure. */
static void
close_round (omen_rr *rr, omen_rr_barrier *barrier, uint64_t parties)
{
  OMEN_ASSERT (parties >= barrier->arrivals.count);
  for (size_t i = 0; i < barrier->arrivals.count; i++)
    rr->import.trace->events.data[barrier->arrivals.data[i]].value = parties;
  barrier->parties = parties;
  OMEN_VEC_CLEAR (barrier->arrivals);
}

static bool
arrived (const omen_rr *rr, const omen_rr_barrier *barrier, omen_tid thread)
{
  for (size_t i = 0; i < barrier->arrivals.count; i++)
    if (rr->import.trace->events.data[barrier->arrivals.data[i]].thread
        == thread)
      return true;
  return false;
}

bool
omen_rr_barrier_line (omen_rr *rr, const omen_rr_line *line)
{
  bool enter = omen_field_is (line->third, "Enter");
  omen_rr_barrier *barrier;
  omen_event *event;
  if (!enter && !omen_field_is (line->third, "Exit"))
    return omen_import_fail (&rr->import, line->third, "Enter or Exit");
  omen_rr_settle (rr, line->actor);
  event = omen_rr_add (rr, enter ? OMEN_ARRIVE : OMEN_DEPART, line->actor,
                       line->operand, OMEN_RR_EMPTY);
  while (rr->barriers.count <= event->object)
    OMEN_VEC_PUSH (rr->barriers, ((omen_rr_barrier){ { 0 }, 0 }));
  barrier = &rr->barriers.data[event->object];
  if (enter)
    OMEN_VEC_PUSH (barrier->arrivals,
                   (omen_eid)rr->import.trace->events.count - 1);
  else if (arrived (rr, barrier, event->thread))
    close_round (rr, barrier, barrier->arrivals.count);
  return true;
}

/* ---- interruptions ---- */

bool
omen_rr_interrupt (omen_rr *rr, const omen_rr_line *line)
{
  bool sent = omen_field_is (line->operation, "Interrupt");
  char name[OMEN_RR_NAME], text[2 * OMEN_RR_NAME];
  uint32_t number = sent ? omen_rr_number (rr, line->operand) : line->actor;
  omen_field object = { text, 0 };
  omen_rr_settle (rr, line->actor);
  object.length = (size_t)snprintf (text, sizeof text, "interrupt of %s",
                                    omen_rr_name (rr, number, name).text);
  omen_rr_add (rr, sent ? OMEN_HAPPENS_BEFORE : OMEN_HAPPENS_AFTER, line->actor,
               object, OMEN_RR_EMPTY);
  return true;
}

/* ---- ends ---- */

void
omen_rr_renew (omen_rr *rr, uint32_t number)
{
  omen_rr_thread *thread = &rr->threads.data[number];
  for (uint32_t i = 0; i < rr->threads.count; i++)
    if (rr->threads.data[i].joining == number || i == number)
      omen_rr_settle (rr, i);
  *thread = (omen_rr_thread){ .thread = OMEN_NONE,
                              .generation = thread->generation + 1,
                              .waiting = OMEN_NONE,
                              .joining = OMEN_NONE,
                              .notified = OMEN_NONE };
}

void
omen_rr_settle (omen_rr *rr, uint32_t actor)
{
  omen_rr_thread *thread = &rr->threads.data[actor];
  thread->notified = OMEN_NONE;
  if (thread->waiting != OMEN_NONE) {
    add_wake (rr, actor);
    rr->returns_added++;
  }
  if (rr->threads.data[actor].joining != OMEN_NONE)
    add_join (rr, actor);
}

void
omen_rr_close (omen_rr *rr)
{
  for (uint32_t i = 0; i < rr->threads.count; i++)
    if (rr->threads.data[i].joining != OMEN_NONE)
      add_join (rr, i);
  for (size_t b = 0; b < rr->barriers.count; b++) {
    omen_rr_barrier *barrier = &rr->barriers.data[b];
    uint64_t parties = barrier->arrivals.count + 1; /* one never arrived */
    if (barrier->parties > parties)
      parties = barrier->parties;
    if (barrier->arrivals.count)
      close_round (rr, barrier, parties);
    OMEN_VEC_FINI (barrier->arrivals);
  }
  for (size_t c = 0; c < rr->conditions.count; c++)
    OMEN_VEC_FINI (rr->conditions.data[c].notifies);
}
