/* Statements of the C export for what orders threads, and the turns.

   In the order of the trace, an event is done between omen_turn (n) and
   omen_next (n), n its position. Whoever may block passes the turn first;
   whoever sleeps on a condition leaves when its turn has come and not before,
   however often it is woken:

     omen_turn (3); omen_next (3);
     do { pthread_cond_wait (&c, &l); } while (omen_waiting (7));

   and the turn 7 is passed by omen_kick (6, &c, &l), which takes the mutex, so
   that it cannot be missed, and wakes the sleeper. In the trace the mutex is
   free then, for the return takes it; if the event before is what releases it,
   the turn is passed while it is still held (omen_kick_held). */
#include "c_writer.h"

static const char *
lock_name (const omen_c *c, uint64_t lock)
{
  return omen_c_text (c, OMEN_OPERAND_LOCK, (omen_lid)lock);
}

static bool
is_rwlock (const omen_c *c, uint64_t lock)
{
  return c->locks[lock] == OMEN_C_RWLOCK;
}

static void
say_lock (const omen_c *c, omen_line *line, uint64_t lock, bool read)
{
  omen_c_say (line, "pthread_%s (&%s); ",
              !is_rwlock (c, lock) ? "mutex_lock"
              : read               ? "rwlock_rdlock"
                                   : "rwlock_wrlock",
              lock_name (c, lock));
}

static void
say_unlock (const omen_c *c, omen_line *line, uint64_t lock)
{
  omen_c_say (line, "pthread_%s_unlock (&%s); ",
              is_rwlock (c, lock) ? "rwlock" : "mutex", lock_name (c, lock));
}

/* ---- turns ---- */

/* The mutex that a wait sleeps on: "l", or "omen_guard_c". */
static void
say_mutex (const omen_c *c, omen_line *line, const omen_event *wait)
{
  if (omen_c_on_guard (c, wait))
    omen_c_say (line, "omen_guard_%s",
                omen_c_text (c, OMEN_OPERAND_CONDITION, wait->object));
  else
    omen_c_say (line, "%s", lock_name (c, wait->value));
}

static bool
same_mutex (const omen_c *c, const omen_event *a, const omen_event *b)
{
  bool guard = omen_c_on_guard (c, a);
  return guard == omen_c_on_guard (c, b)
         && (guard ? a->object == b->object : a->value == b->value);
}

static bool
times_out (const omen_event *event)
{
  return event->kind == OMEN_WAKE && event->mode & OMEN_MODE_TIMEOUT;
}

/* The wait that ends with the event after e, if its thread must be woken. */
static const omen_event *
wait_to_kick (const omen_c *c, omen_eid e)
{
  omen_eid next = omen_c_at (c, (uint64_t)c->steps[e].position + 1), wait;
  if (next == OMEN_NONE)
    return NULL;
  wait = omen_c_wait_of (c, next);
  if (wait == OMEN_NONE || wait == e
      || times_out (omen_trace_event (c->trace, next)))
    return NULL;
  return omen_trace_event (c->trace, wait);
}

void
omen_c_turn (const omen_c *c, omen_line *line, omen_eid e)
{
  if (!c->free)
    omen_c_say (line, "omen_turn (%u); ", c->steps[e].position);
}

/* `held`: the wait whose mutex the thread has at this moment, or NULL. */
static void
pass (const omen_c *c, omen_line *line, omen_eid e, const omen_event *held)
{
  const omen_event *wait = c->free ? NULL : wait_to_kick (c, e);
  uint32_t position = c->steps[e].position;
  OMEN_ASSERT (position < c->trace->events.count);
  if (c->free)
    omen_c_say (line, "OMEN_HERE (); ");
  else if (!wait)
    omen_c_say (line, "omen_next (%u); ", position);
  else if (held && same_mutex (c, held, wait))
    omen_c_say (line, "omen_kick_held (%u, &%s); ", position,
                omen_c_text (c, OMEN_OPERAND_CONDITION, wait->object));
  else {
    omen_c_say (line, "omen_kick (%u, &%s, &", position,
                omen_c_text (c, OMEN_OPERAND_CONDITION, wait->object));
    say_mutex (c, line, wait);
    omen_c_say (line, "); ");
  }
}

void
omen_c_pass (const omen_c *c, omen_line *line, omen_eid e)
{
  pass (c, line, e, NULL);
}

/* ---- locks ---- */

static void
acquire (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  bool read = event->kind == OMEN_READ_ACQUIRE;
  omen_c_turn (c, line, e);
  if (c->steps[e].act == OMEN_C_DO && event->mode & OMEN_MODE_TRY) {
    omen_c_say (line, "if (pthread_%s (&%s)) { ",
                !is_rwlock (c, event->object) ? "mutex_trylock"
                : read                        ? "rwlock_tryrdlock"
                                              : "rwlock_trywrlock",
                lock_name (c, event->object));
    say_lock (c, line, event->object, read);
    omen_c_say (line, "} ");
  } else if (c->steps[e].act == OMEN_C_DO)
    say_lock (c, line, event->object, read);
  omen_c_pass (c, line, e);
}

/* Does the event after e wait for this very lock? Then it is passed on while
   it is held. */
static bool
hands_over (const omen_c *c, omen_eid e, const omen_event *event)
{
  const omen_event *wait = c->free ? NULL : wait_to_kick (c, e);
  return wait && c->steps[e].act == OMEN_C_DO && !omen_c_on_guard (c, wait)
         && wait->value == event->object;
}

static void
release (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  omen_c_turn (c, line, e);
  if (hands_over (c, e, event)) {
    pass (c, line, e, wait_to_kick (c, e));
    say_unlock (c, line, event->object);
    return;
  }
  if (c->steps[e].act == OMEN_C_DO)
    say_unlock (c, line, event->object);
  omen_c_pass (c, line, e);
}

/* Is the lock used after e? */
static bool
used_after (const omen_c *c, omen_lid lock, omen_eid e)
{
  for (uint64_t p = (uint64_t)c->steps[e].position + 1;; p++) {
    omen_eid next = omen_c_at (c, p);
    const omen_event *event;
    if (next == OMEN_NONE)
      return false;
    event = omen_trace_event (c->trace, next);
    if ((omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK
         && event->object == lock)
        || ((event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
            && event->value == lock))
      return true;
  }
}

/* One that goes on being used is left as it is. */
static void
destroy (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  omen_c_turn (c, line, e);
  if (!used_after (c, event->object, e))
    omen_c_say (line, "pthread_%s_destroy (&%s); ",
                is_rwlock (c, event->object) ? "rwlock" : "mutex",
                lock_name (c, event->object));
  omen_c_pass (c, line, e);
}

static void
fail (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  bool rwlock = is_rwlock (c, event->object);
  const char *call = event->kind == OMEN_READ_TRY_FAIL ? "rwlock_tryrdlock"
                     : event->kind == OMEN_TRY_FAIL
                         ? rwlock ? "rwlock_trywrlock" : "mutex_trylock"
                     : rwlock ? "rwlock_timedwrlock"
                              : "mutex_timedlock";
  omen_c_turn (c, line, e);
  if (c->steps[e].act == OMEN_C_DO) {
    omen_c_say (line, "if (!pthread_%s (&%s%s)) { ", call,
                lock_name (c, event->object),
                event->kind == OMEN_LOCK_FAIL ? ", &omen_past" : "");
    if (c->free)
      say_unlock (c, line, event->object);
    else
      omen_c_say (line, "omen_wrong (%u, \"took a lock\"); ", e);
    omen_c_say (line, "} ");
  }
  omen_c_pass (c, line, e);
}

typedef struct held {
  omen_lid lock;
  uint8_t kind; /* of the acquire */
  uint32_t depth;
} held;
typedef OMEN_VEC (held) holds;

static held *
find_held (holds *all, omen_lid lock, unsigned kind)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->data[i].lock == lock && all->data[i].kind == kind)
      return &all->data[i];
  OMEN_VEC_PUSH (*all, ((held){ lock, (uint8_t)kind, 0 }));
  return &OMEN_VEC_LAST (*all);
}

/* Give back what the thread still holds, so that the others can go on. */
static void
unlock_all (const omen_c *c, omen_line *line, omen_tid t)
{
  const omen_trace *trace = c->trace;
  holds all = { 0 };
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    const omen_event *event
        = omen_trace_event (trace, omen_trace_nth (trace, t, i));
    bool read
        = event->kind == OMEN_READ_ACQUIRE || event->kind == OMEN_READ_RELEASE;
    held *h;
    if (event->kind < OMEN_ACQUIRE || event->kind > OMEN_READ_RELEASE
        || omen_c_irregular (c, event->object))
      continue;
    h = find_held (&all, event->object,
                   read ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE);
    h->depth += event->kind == h->kind ? 1 : -1;
  }
  while (all.count--) {
    held *h = &all.data[all.count];
    if (h->depth && is_rwlock (c, h->lock) && h->kind == OMEN_ACQUIRE)
      h->depth = 1;
    for (; h->depth; h->depth--)
      say_unlock (c, line, h->lock);
  }
  OMEN_VEC_FINI (all);
}

/* Part of the acquire that follows; the last event of a thread is one that
   never came. */
static void
request (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  omen_c_turn (c, line, e);
  omen_c_pass (c, line, e);
  if (omen_c_next (c, e) != OMEN_NONE || c->threads[event->thread].joined)
    return;
  if (!c->free)
    omen_c_say (line, "omen_last (); ");
  say_lock (c, line, event->object, false);
  say_unlock (c, line, event->object);
  if (c->free)
    unlock_all (c, line, event->thread);
}

/* ---- condition variables ---- */

/* Sleep until the return's turn has come. */
static void
sleep_on (const omen_c *c, omen_line *line, omen_eid e, const omen_event *wait)
{
  omen_eid back = omen_c_next (c, e);
  const omen_event *event
      = back == OMEN_NONE ? NULL : omen_trace_event (c->trace, back);
  bool instant = back != OMEN_NONE
                 && c->steps[back].position == c->steps[e].position + 1;
  bool spurious
      = event && event->kind == OMEN_WAKE && event->mode & OMEN_MODE_SPURIOUS;
  bool doze = event && (times_out (event) || (c->free ? spurious : instant));
  omen_c_say (line, "%spthread_cond_%s (&%s, &", c->free ? "" : "do { ",
              doze ? "timedwait" : "wait",
              omen_c_text (c, OMEN_OPERAND_CONDITION, wait->object));
  say_mutex (c, line, wait);
  omen_c_say (line, "%s); ", doze ? ", omen_soon ()" : "");
  if (!c->free && back == OMEN_NONE)
    omen_c_say (line, "} while (1); ");
  else if (!c->free)
    omen_c_say (line, "} while (omen_waiting (%u)); ", c->steps[back].position);
}

static void
wait_on_guard (const omen_c *c, omen_line *line, omen_eid e,
               const omen_event *wait)
{
  const char *name = omen_c_text (c, OMEN_OPERAND_CONDITION, wait->object);
  if (wait->value != OMEN_NONE && c->steps[e].act == OMEN_C_DO)
    say_unlock (c, line, wait->value);
  if (omen_c_next (c, e) == OMEN_NONE && c->threads[wait->thread].joined) {
    omen_c_pass (c, line, e);
    return;
  }
  omen_c_say (line, "pthread_mutex_lock (&omen_guard_%s); ", name);
  pass (c, line, e, wait);
  sleep_on (c, line, e, wait);
  omen_c_say (line, "pthread_mutex_unlock (&omen_guard_%s); ", name);
}

static void
wait (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  bool last = omen_c_next (c, e) == OMEN_NONE;
  OMEN_ASSERT (!last || c->threads[event->thread].blocked);
  omen_c_turn (c, line, e);
  if (omen_c_on_guard (c, event)) {
    wait_on_guard (c, line, e, event);
    return;
  }
  for (uint32_t i = 0; i < c->steps[e].depth; i++)
    say_unlock (c, line, event->value);
  pass (c, line, e, event);
  if (last && c->threads[event->thread].joined)
    say_unlock (c, line, event->value);
  else
    sleep_on (c, line, e, event);
  if (last && c->free && !c->threads[event->thread].joined)
    say_unlock (c, line, event->value);
}

static void
wake (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  omen_eid wait = omen_c_wait_of (c, e);
  OMEN_ASSERT (wait != OMEN_NONE);
  omen_c_turn (c, line, e);
  if (event->value != OMEN_NONE) {
    bool guard = omen_c_on_guard (c, omen_trace_event (c->trace, wait));
    OMEN_ASSERT (guard || c->steps[e].act == OMEN_C_DO);
    if (guard && c->steps[e].act == OMEN_C_DO)
      say_lock (c, line, event->value, false);
    for (uint32_t i = 0; i < c->steps[e].depth && !is_rwlock (c, event->value);
         i++)
      say_lock (c, line, event->value, false);
  }
  omen_c_pass (c, line, e);
}

/* ---- barriers and semaphores ---- */

static void
arrive (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  const omen_c_thread *thread = &c->threads[event->thread];
  const char *name = omen_c_text (c, OMEN_OPERAND_BARRIER, event->object);
  bool left_out
      = omen_c_next (c, e) == OMEN_NONE && thread->blocked && thread->joined;
  bool split = c->barriers[event->object].split;
  omen_c_turn (c, line, e);
  if (split)
    omen_c_say (line, "omen_round_%s = omen_arrive (&%s, %u); ", name, name,
                (uint32_t)event->value);
  if (split || !c->steps[e].completes)
    omen_c_pass (c, line, e);
  if (split || left_out)
    return;
  omen_c_say (line, "pthread_barrier_wait (&%s); ", name);
  if (c->steps[e].completes)
    omen_c_pass (c, line, e);
}

static void
depart (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  const char *name = omen_c_text (c, OMEN_OPERAND_BARRIER, event->object);
  omen_c_turn (c, line, e);
  if (c->barriers[event->object].split)
    omen_c_say (line, "omen_depart (&%s, omen_round_%s); ", name, name);
  omen_c_pass (c, line, e);
}

static void
semaphore (const omen_c *c, omen_line *line, omen_eid e,
           const omen_event *event)
{
  const char *name = omen_c_text (c, OMEN_OPERAND_SEMAPHORE, event->object);
  uint64_t count = event->value < INT32_MAX ? event->value : INT32_MAX;
  omen_c_turn (c, line, e);
  if (event->kind == OMEN_SEM_INIT)
    omen_c_say (line, "sem_init (&%s, 0, %u); ", name, (unsigned)count);
  else if (event->kind == OMEN_SEM_FAIL && c->free)
    omen_c_say (line, "if (!sem_trywait (&%s)) { sem_post (&%s); } ", name,
                name);
  else if (event->kind == OMEN_SEM_FAIL)
    omen_c_say (line,
                "if (!sem_trywait (&%s)) { omen_wrong (%u, \"had a unit\"); "
                "} ",
                name, e);
  else
    omen_c_say (line, "sem_%s (&%s); ",
                event->kind == OMEN_SEM_UP ? "post" : "wait", name);
  omen_c_pass (c, line, e);
}

/* ---- the others ---- */

static void
fork_or_join (const omen_c *c, omen_line *line, omen_eid e,
              const omen_event *event)
{
  const char *name = omen_c_text (c, OMEN_OPERAND_THREAD, event->object);
  omen_c_turn (c, line, e);
  if (event->kind == OMEN_FORK)
    omen_c_say (line,
                "omen_started (pthread_create (&omen_id_%s, NULL, "
                "omen_run_%s, NULL)); ",
                name, name);
  else if (c->steps[e].act == OMEN_C_DO)
    omen_c_say (line, "pthread_join (omen_id (&omen_id_%s), NULL); ", name);
  omen_c_pass (c, line, e);
}

static void
simple (const omen_c *c, omen_line *line, omen_eid e, const omen_event *event)
{
  static const char *const fences[]
      = { "seq_cst", "relaxed", "acquire", "release", "acq_rel" };
  omen_c_turn (c, line, e);
  if (event->kind == OMEN_FENCE)
    omen_c_say (line, "atomic_thread_fence (memory_order_%s); ",
                fences[event->order]);
  else if (event->kind == OMEN_NOTIFY || event->kind == OMEN_NOTIFY_ALL)
    omen_c_say (line, "pthread_cond_%s (&%s); ",
                event->kind == OMEN_NOTIFY ? "signal" : "broadcast",
                omen_c_text (c, OMEN_OPERAND_CONDITION, event->object));
  else
    omen_c_say (line, "OMEN_HAPPENS_%s (&%s); ",
                event->kind == OMEN_HAPPENS_BEFORE ? "BEFORE" : "AFTER",
                omen_c_text (c, OMEN_OPERAND_OBJECT, event->object));
  omen_c_pass (c, line, e);
}

void
omen_c_sync (const omen_c *c, omen_line *line, omen_eid e)
{
  const omen_event *event = omen_trace_event (c->trace, e);
  static void (*const say[OMEN_KINDS]) (const omen_c *, omen_line *, omen_eid,
                                        const omen_event *)
      = { [OMEN_FENCE] = simple,
          [OMEN_ACQUIRE] = acquire,
          [OMEN_RELEASE] = release,
          [OMEN_READ_ACQUIRE] = acquire,
          [OMEN_READ_RELEASE] = release,
          [OMEN_REQUEST] = request,
          [OMEN_TRY_FAIL] = fail,
          [OMEN_READ_TRY_FAIL] = fail,
          [OMEN_LOCK_FAIL] = fail,
          [OMEN_DESTROY] = destroy,
          [OMEN_FORK] = fork_or_join,
          [OMEN_JOIN] = fork_or_join,
          [OMEN_WAIT] = wait,
          [OMEN_WAKE] = wake,
          [OMEN_NOTIFY] = simple,
          [OMEN_NOTIFY_ALL] = simple,
          [OMEN_SEM_INIT] = semaphore,
          [OMEN_SEM_UP] = semaphore,
          [OMEN_SEM_DOWN] = semaphore,
          [OMEN_SEM_FAIL] = semaphore,
          [OMEN_ARRIVE] = arrive,
          [OMEN_DEPART] = depart,
          [OMEN_HAPPENS_BEFORE] = simple,
          [OMEN_HAPPENS_AFTER] = simple };
  OMEN_ASSERT (say[event->kind]);
  say[event->kind](c, line, e, event);
}
