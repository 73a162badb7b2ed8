/* Locks and the base order: what each thread holds after each of its events,
   which operations are nested, which locks are irregular. */
#include "facts.h"

#include <string.h>

typedef struct holdings {
  unsigned write[64], read[64]; /* depth by lock */
  unsigned waiting;             /* depth before the wait that is open */
} holdings;

static uint32_t
lock_of (const omen_event *event)
{
  if (event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
    return (uint32_t)event->value;
  return omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK
                 && event->kind != OMEN_DESTROY
             ? event->object
             : OMEN_NONE;
}

/* Do e's operation on the thread's own holdings; the action if it is not
   nested. False if it makes no sense in its thread. */
static bool
operate (holdings *h, const omen_event *event, uint32_t l, uint8_t *action)
{
  bool sense = true;
  *action = LOCK_NOTHING;
  switch (event->kind) {
  case OMEN_ACQUIRE:
    sense = !h->read[l];
    *action = h->write[l]++ ? LOCK_NOTHING : LOCK_TAKE;
    break;
  case OMEN_RELEASE:
    sense = h->write[l] > 0;
    if (sense)
      *action = --h->write[l] ? LOCK_NOTHING : LOCK_LEAVE;
    break;
  case OMEN_READ_ACQUIRE:
    sense = !h->write[l];
    *action = h->read[l]++ ? LOCK_NOTHING : LOCK_SHARE;
    break;
  case OMEN_READ_RELEASE:
    sense = h->read[l] > 0;
    if (sense)
      *action = --h->read[l] ? LOCK_NOTHING : LOCK_UNSHARE;
    break;
  case OMEN_WAIT:
    sense = h->write[l] > 0;
    h->waiting = h->write[l];
    h->write[l] = 0;
    *action = LOCK_LEAVE;
    break;
  case OMEN_WAKE:
    sense = !h->write[l] && !h->read[l];
    h->write[l] = h->waiting ? h->waiting : 1;
    *action = LOCK_TAKE;
    break;
  case OMEN_TRY_FAIL:
    *action = LOCK_FAIL;
    break;
  case OMEN_READ_TRY_FAIL:
    *action = LOCK_SHARED_FAIL;
    break;
  default:
    break;
  }
  return sense;
}

static void
walk_thread (facts *f, unsigned t)
{
  holdings h = { 0 };
  uint64_t writes = 0, reads = 0;
  for (const uint8_t *p = f->events_of[t]; *p != NOBODY; p++) {
    const omen_event *event = facts_event (f, *p);
    uint32_t l = lock_of (event);
    if (event->kind == OMEN_WAIT)
      h.waiting = 0;
    if (l != OMEN_NONE) {
      if (!operate (&h, event, l, &f->action[*p]))
        f->irregular |= ONE (l);
      writes = h.write[l] ? writes | ONE (l) : writes & ~ONE (l);
      reads = h.read[l] ? reads | ONE (l) : reads & ~ONE (l);
      f->lock[*p] = (uint8_t)l;
    }
    f->writes_held[*p] = writes;
    f->reads_held[*p] = reads;
  }
}

/* Operations of an irregular lock keep their order and obey nothing else. */
static void
forget_irregular (facts *f)
{
  for (unsigned e = 0; e < f->count; e++) {
    f->writes_held[e] &= ~f->irregular;
    f->reads_held[e] &= ~f->irregular;
    if (f->action[e] && HAS (f->irregular, f->lock[e]))
      f->action[e] = LOCK_NOTHING;
  }
}

bool
facts_locks (facts *f, omen_err *err)
{
  if (f->trace->names[OMEN_OPERAND_LOCK].count > 64)
    return facts_too_much (f, err, "locks");
  for (unsigned t = 0; t < f->threads; t++)
    walk_thread (f, t);
  forget_irregular (f);
  return true;
}

/* May e, next in its thread, take its lock when `last` are the latest events of
   the threads? */
static bool
lock_is_free (const facts *f, unsigned e, const uint8_t *last)
{
  for (unsigned t = 0; t < f->threads; t++) {
    if (last[t] == NOBODY)
      continue;
    if (f->action[e] == LOCK_TAKE
        && HAS (f->writes_held[last[t]] | f->reads_held[last[t]], f->lock[e]))
      return false;
    if (f->action[e] == LOCK_SHARE && HAS (f->writes_held[last[t]], f->lock[e]))
      return false;
  }
  return true;
}

bool
facts_order (facts *f, omen_err *err)
{
  uint8_t last[MOST_THREADS];
  event_set gone = 0;
  memset (last, NOBODY, sizeof last);
  for (unsigned k = 0; k < f->count; k++) {
    unsigned e = 0;
    while (e < f->count
           && (HAS (gone, e) || last[f->thread[e]] != f->previous[e]
               || !lock_is_free (f, e, last)))
      e++;
    if (e == f->count)
      return omen_err_set (err, "oracle", "no order in which locks exclude");
    gone |= ONE (e);
    last[f->thread[e]] = (uint8_t)e;
    f->order[k] = (uint8_t)e;
    f->rank[e] = (uint8_t)k;
  }
  return true;
}
