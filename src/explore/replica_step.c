#include "explore/replica.h"

/* Of a thread that waits for others. */
enum { AWAKE, ASLEEP, WOKEN, MEETING, MET, LAST };

typedef struct moving {
  const omen_replica *replica;
  uint32_t *words;
  omen_tid thread;
  const omen_run_step *step;
  omen_other *other;
} moving;

static omen_step_outcome
go_on (moving *v)
{
  v->words[v->thread]++;
  return OMEN_MOVE_TAKEN;
}

static omen_step_outcome
see_other (moving *v, uint32_t outcome)
{
  uint64_t observed = omen_history_outcome (v->step->kind, outcome);
  *v->other = (omen_other){ observed, observed, true };
  return OMEN_MOVE_OTHER;
}

/* The run has `yes`; now it is `now`. */
static omen_step_outcome
outcome (moving *v, bool yes, bool now)
{
  return yes == now && !v->step->pending
             ? go_on (v)
             : see_other (v, now ? OMEN_OUTCOME_YES : OMEN_OUTCOME_NO);
}

/* -- memory -- */

static uint32_t
same_as (const omen_replica *c, omen_eid writer, uint32_t atom)
{
  return writer == OMEN_NONE
             ? OMEN_NONE
             : c->same[omen_model_write_slot (c->steps->model, writer, atom)];
}

static bool
sees_the_same (moving *v)
{
  const omen_replica *c = v->replica;
  const omen_model *m = c->steps->model;
  omen_eid e = v->step->event;
  omen_span span = omen_model_atoms (m, e);
  bool same = true;
  for (uint32_t i = 0; i < span.count; i++) {
    uint32_t atom = span.first + i;
    omen_eid from = m->from[omen_model_read_slot (m, e, atom)];
    if (c->cell[atom] == OMEN_NONE) {
      c->seen[i] = from;
      continue;
    }
    c->seen[i] = v->words[c->cell[atom]];
    if (c->seen[i] != same_as (c, from, atom)
        && !omen_model_same_value (m, e, c->seen[i], atom))
      same = false;
  }
  return same;
}

static omen_step_outcome
access_memory (moving *v)
{
  const omen_replica *c = v->replica;
  const omen_model *m = c->steps->model;
  omen_eid e = v->step->event;
  omen_span span = omen_model_atoms (m, e);
  omen_eid alloc = m->alloc_of[m->atoms[span.first].variable];
  if (alloc != OMEN_NONE && alloc != e) {
    omen_tid t = omen_model_thread (m, alloc);
    const omen_run_step *next = omen_replica_next (c, v->words, t);
    if (next && m->trace->index[next->event] <= m->trace->index[alloc])
      return OMEN_MOVE_BLOCKED;
  }
  if (omen_kind_reads (v->step->kind) && !sees_the_same (v)) {
    v->other->observed
        = omen_history_seen (c->steps->histories, e, c->seen, &v->other->known);
    v->other->instead = v->other->observed;
    return OMEN_MOVE_OTHER;
  }
  for (uint32_t a = span.first;
       omen_kind_writes (v->step->kind) && a < span.first + span.count; a++)
    if (c->cell[a] != OMEN_NONE)
      v->words[c->cell[a]] = same_as (c, e, a);
  return go_on (v);
}

/* -- locks -- */

static uint32_t *
lock_words (const moving *v, omen_lid lock)
{
  return &v->words[v->replica->locks + 2 * lock];
}

static omen_step_outcome
take_lock (moving *v, bool reads, bool tries)
{
  uint32_t *lock = lock_words (v, v->step->object);
  bool free = !lock[0] && (reads || !lock[1]);
  if (!free)
    return tries ? outcome (v, true, false) : OMEN_MOVE_BLOCKED;
  if (v->step->pending)
    return see_other (v, OMEN_OUTCOME_YES);
  lock[reads] += 1;
  return go_on (v);
}

static omen_step_outcome
use_lock (moving *v)
{
  const omen_event *event
      = omen_model_event (v->replica->steps->model, v->step->event);
  uint32_t *lock = lock_words (v, v->step->object);
  switch (v->step->kind) {
  case OMEN_ACQUIRE:
    return take_lock (v, v->step->pending && v->step->reader,
                      !v->step->pending && event->mode & OMEN_MODE_TRY);
  case OMEN_READ_ACQUIRE:
    return take_lock (v, true, event->mode & OMEN_MODE_TRY);
  case OMEN_RELEASE:
    lock[0] -= lock[0] > 0;
    return go_on (v);
  case OMEN_READ_RELEASE:
    lock[1] -= lock[1] > 0;
    return go_on (v);
  case OMEN_TRY_FAIL:
    return outcome (v, false, !lock[0] && !lock[1]);
  default:
    OMEN_ASSERT (v->step->kind == OMEN_READ_TRY_FAIL);
    return outcome (v, false, !lock[0]);
  }
}

/* -- conditions -- */

static omen_lid
lock_of_wait (const moving *v)
{
  uint64_t lock
      = omen_model_event (v->replica->steps->model, v->step->event)->value;
  return lock < v->replica->steps->model->lock_count ? (omen_lid)lock
                                                     : OMEN_NONE;
}

static bool
sleeps_at (const omen_replica *c, const uint32_t *words, omen_tid t,
           uint32_t condition)
{
  const omen_run_step *next = omen_replica_next (c, words, t);
  return words[c->asleep + t] == ASLEEP && next && next->kind == OMEN_WAKE
         && next->object == condition;
}

/* It was recorded as a wait whose time was over. */
static bool
woke_early (const omen_model *m, omen_eid e)
{
  omen_eid wait = omen_model_previous (m, e);
  return omen_model_event (m, e)->kind == OMEN_WAKE
         && omen_model_event (m, e)->mode & OMEN_MODE_TIMEOUT
         && wait != OMEN_NONE
         && !(omen_model_event (m, wait)->mode & OMEN_MODE_TIMEOUT);
}

/* Loops wait again, so each thread is woken early once at most. */
static bool
may_wake_early (const moving *v)
{
  const omen_model *m = v->replica->steps->model;
  omen_eid e = v->step->event;
  if (!v->replica->spurious)
    return false;
  while ((e = omen_model_previous (m, e)) != OMEN_NONE)
    if (woke_early (m, e))
      return false;
  return true;
}

static omen_step_outcome
wake_up (moving *v)
{
  const omen_replica *c = v->replica;
  const omen_event *event = omen_model_event (c->steps->model, v->step->event);
  uint32_t *asleep = &v->words[c->asleep + v->thread];
  omen_lid lock = lock_of_wait (v);
  bool notified = *asleep == WOKEN;
  bool limited = false, early = false;
  if (lock != OMEN_NONE && (lock_words (v, lock)[0] || lock_words (v, lock)[1]))
    return OMEN_MOVE_BLOCKED;
  if (v->step->pending)
    limited = event->mode & OMEN_MODE_TIMEOUT;
  else {
    omen_eid wait = omen_model_previous (c->steps->model, v->step->event);
    limited = event->mode & OMEN_MODE_TIMEOUT
              || (wait != OMEN_NONE
                  && omen_model_event (c->steps->model, wait)->mode
                         & OMEN_MODE_TIMEOUT);
    early = event->mode & OMEN_MODE_SPURIOUS;
  }
  limited = limited || may_wake_early (v);
  if (!notified && !limited && !early)
    return OMEN_MOVE_BLOCKED;
  uint32_t now = notified  ? OMEN_OUTCOME_YES
                 : limited ? OMEN_OUTCOME_NO
                           : OMEN_OUTCOME_SPURIOUS;
  uint32_t then = event->mode & OMEN_MODE_TIMEOUT    ? OMEN_OUTCOME_NO
                  : event->mode & OMEN_MODE_SPURIOUS ? OMEN_OUTCOME_SPURIOUS
                                                     : OMEN_OUTCOME_YES;
  if (v->step->pending || now != then)
    return see_other (v, now);
  *asleep = AWAKE;
  if (lock != OMEN_NONE)
    lock_words (v, lock)[0]++;
  return go_on (v);
}

bool
omen_replica_sleeps (const omen_replica *c, const uint32_t *words, omen_tid t)
{
  return words[c->asleep + t] == ASLEEP;
}

static omen_step_outcome
step_notify (moving *v, bool all, uint32_t choice)
{
  const omen_replica *c = v->replica;
  for (omen_tid t = 0; t < c->threads; t++)
    if (sleeps_at (c, v->words, t, v->step->object) && (all || !choice--)) {
      v->words[c->asleep + t] = WOKEN;
      if (!all)
        break;
    }
  return go_on (v);
}

static omen_step_outcome
use_condition (moving *v, uint32_t choice)
{
  omen_lid lock;
  switch (v->step->kind) {
  case OMEN_WAIT:
    if ((lock = lock_of_wait (v)) != OMEN_NONE)
      lock_words (v, lock)[0] = 0;
    v->words[v->replica->asleep + v->thread] = ASLEEP;
    return go_on (v);
  case OMEN_WAKE:
    return wake_up (v);
  default:
    return step_notify (v, v->step->kind == OMEN_NOTIFY_ALL, choice);
  }
}

/* -- semaphores, barriers, threads, what keeps its order -- */

static omen_step_outcome
use_semaphore (moving *v)
{
  const omen_event *event
      = omen_model_event (v->replica->steps->model, v->step->event);
  uint32_t *count = &v->words[v->replica->semaphores + v->step->object];
  if (v->step->getvalue || v->step->kind == OMEN_SEM_FAIL) {
    if (*count == v->step->value)
      return go_on (v);
    see_other (v, *count);
    if (v->step->kind == OMEN_SEM_FAIL) /* sem_getvalue or sem_trywait */
      v->other->instead
          = omen_history_outcome (OMEN_SEM_DOWN, OMEN_OUTCOME_YES);
    return OMEN_MOVE_OTHER;
  }
  switch (v->step->kind) {
  case OMEN_SEM_UP:
    ++*count;
    return go_on (v);
  case OMEN_SEM_INIT:
    *count = (uint32_t)event->value;
    return go_on (v);
  default:
    break;
  }
  if (!*count)
    return !v->step->pending && event->mode & OMEN_MODE_TRY
               ? outcome (v, true, false)
               : OMEN_MOVE_BLOCKED;
  if (v->step->pending)
    return see_other (v, OMEN_OUTCOME_YES);
  --*count;
  return go_on (v);
}

static omen_step_outcome
step_arrive (moving *v)
{
  const omen_replica *c = v->replica;
  uint32_t *in = &v->words[c->barriers + v->step->object];
  uint32_t size
      = (uint32_t)omen_model_event (c->steps->model, v->step->event)->value;
  uint32_t *mine = &v->words[c->asleep + v->thread];
  if (++*in < size) {
    *mine = MEETING;
    return go_on (v);
  }
  *in = 0;
  for (omen_tid t = 0; t < c->threads; t++) {
    const omen_run_step *next = omen_replica_next (c, v->words, t);
    if (v->words[c->asleep + t] == MEETING && next && next->kind == OMEN_DEPART
        && next->object == v->step->object)
      v->words[c->asleep + t] = MET;
  }
  *mine = LAST;
  return go_on (v);
}

static omen_step_outcome
use_barrier (moving *v)
{
  const omen_replica *c = v->replica;
  uint32_t *mine = &v->words[c->asleep + v->thread];
  if (v->step->kind == OMEN_ARRIVE)
    return step_arrive (v);
  bool last = *mine == LAST;
  if (*mine == MEETING)
    return OMEN_MOVE_BLOCKED;
  if (!v->step->pending && last == c->steps->histories->serial[v->step->event])
    *mine = AWAKE;
  return outcome (
      v, v->step->pending || c->steps->histories->serial[v->step->event], last);
}

static omen_step_outcome
join (moving *v)
{
  if (v->step->kind == OMEN_FORK)
    return go_on (v);
  const omen_steps_thread *other = &v->replica->steps->threads[v->step->object];
  if (other->finish != OMEN_FINISH_ENDED
      || v->words[v->step->object] < other->count)
    return OMEN_MOVE_BLOCKED;
  return v->step->pending ? see_other (v, OMEN_OUTCOME_YES) : go_on (v);
}

static omen_step_outcome
use_object (moving *v)
{
  const omen_model *m = v->replica->steps->model;
  uint32_t first = m->object_ops[v->step->object];
  uint32_t count = m->object_ops[v->step->object + 1] - first;
  if (v->step->kind == OMEN_HAPPENS_AFTER)
    for (uint32_t i = first; i < first + count; i++) {
      omen_eid e = m->hb_ops[i];
      const omen_run_step *next;
      if (e == v->step->event)
        break;
      if (omen_model_event (m, e)->kind != OMEN_HAPPENS_BEFORE)
        continue;
      next = omen_replica_next (v->replica, v->words, omen_model_thread (m, e));
      if (next && m->trace->index[next->event] <= m->trace->index[e])
        return OMEN_MOVE_BLOCKED;
    }
  return go_on (v);
}

/* ---- all of them ---- */

bool
omen_replica_born (const omen_replica *c, const uint32_t *words, omen_tid t)
{
  const omen_steps_thread *thread = &c->steps->threads[t];
  const omen_run_step *next;
  if (thread->parent == OMEN_NONE)
    return true;
  if (!omen_replica_born (c, words, thread->parent))
    return false;
  next = omen_replica_next (c, words, thread->parent);
  return !next
         || c->steps->model->trace->index[next->event] > thread->fork_index
         || (next->pending);
}

omen_step_outcome
omen_replica_step (const omen_replica *c, uint32_t *words, omen_tid t,
                   uint32_t choice, omen_other *other)
{
  moving v = { c, words, t, omen_replica_next (c, words, t), other };
  if (!v.step || !omen_replica_born (c, words, t))
    return OMEN_MOVE_BLOCKED;
  if (omen_kind_class (v.step->kind) == OMEN_CLASS_ACCESS)
    return access_memory (&v);
  switch (omen_kind_operand (v.step->kind)) {
  case OMEN_OPERAND_LOCK:
    return use_lock (&v);
  case OMEN_OPERAND_CONDITION:
    return use_condition (&v, choice);
  case OMEN_OPERAND_SEMAPHORE:
    return use_semaphore (&v);
  case OMEN_OPERAND_BARRIER:
    return use_barrier (&v);
  case OMEN_OPERAND_THREAD:
    return join (&v);
  default:
    OMEN_ASSERT (omen_kind_operand (v.step->kind) == OMEN_OPERAND_OBJECT);
    return use_object (&v);
  }
}

uint32_t
omen_replica_choices (const omen_replica *c, const uint32_t *words, omen_tid t)
{
  const omen_run_step *next = omen_replica_next (c, words, t);
  uint32_t count = 0;
  if (!next || next->kind != OMEN_NOTIFY)
    return 1;
  for (omen_tid other = 0; other < c->threads; other++)
    count += sleeps_at (c, words, other, next->object);
  return count ? count : 1;
}

bool
omen_replica_is_settled (const omen_replica *c, const uint32_t *words,
                         omen_tid t)
{
  const omen_run_step *next = omen_replica_next (c, words, t);
  const uint32_t *settled;
  if (!next)
    return false;
  settled = c->settled + (size_t)(next - c->steps->steps.data) * c->threads;
  for (omen_tid other = 0; other < c->threads; other++)
    if (words[other] < settled[other])
      return false;
  return true;
}
