/* Notifies that must wake a thread which is to stay asleep. Most candidates end
   here, whatever the distance of the events: the thread has read under the lock
   what the notifier had not yet written, so the notify comes after its wait. */
#include "predict/standstill.h"

/* The waits (in model->waits) and notifies of one thread, in order. */
typedef struct omen_standstill_signals {
  omen_ids waits, notifies;
} signals;

static void
collect (omen_standstill *s)
{
  const omen_model *m = s->model;
  s->signals = omen_zalloc (m->thread_count, sizeof *s->signals);
  for (uint32_t i = 0; i < m->event_count; i++) {
    omen_eid e = omen_model_nth (m, i);
    signals *mine = &s->signals[omen_model_thread (m, e)];
    unsigned kind = omen_model_event (m, e)->kind;
    if (kind == OMEN_WAIT)
      OMEN_VEC_PUSH (mine->waits, m->at[e]);
    else if (kind == OMEN_NOTIFY || kind == OMEN_NOTIFY_ALL)
      OMEN_VEC_PUSH (mine->notifies, e);
  }
}

void
omen_standstill_woken_end (omen_standstill *s)
{
  for (omen_tid t = 0; s->signals && t < s->model->thread_count; t++) {
    OMEN_VEC_FINI (s->signals[t].waits);
    OMEN_VEC_FINI (s->signals[t].notifies);
  }
  omen_free (s->signals);
  s->signals = NULL;
}

/* Of one wait that is to stay asleep: notifies that certainly come after it,
   and the other waits that they may wake. Each notify wakes one, each wait is
   woken once, so there must not be more notifies than waits. */
typedef struct waking {
  omen_standstill *s;
  const omen_pin *pins;
  const omen_ids *asleep;
  uint32_t *cut; /* room for a question */
  omen_eid wait;
  uint32_t notifies;
  omen_ids others;
} waking;

static bool
has (const omen_ids *events, omen_eid e)
{
  for (size_t i = 0; i < events->count; i++)
    if (events->data[i] == e)
      return true;
  return false;
}

/* Must the notify come before the wait of another thread? It must if the
   section in which it is sent has an event that must, since that section is
   then over before the one that the wait ends. */
static bool
is_before (const omen_standstill *s, omen_eid notify, const omen_wait *w)
{
  const omen_model *m = s->model;
  uint32_t section = w->ends == OMEN_NONE
                         ? OMEN_NONE
                         : omen_model_holds (m, notify, w->lock);
  omen_eid first = section == OMEN_NONE ? notify : m->sections[section].acquire;
  return omen_quick_must_before (s->quick, first, w->wait);
}

/* Add the waits of thread u that the notify may wake. */
static void
add_others (waking *k, omen_eid notify, omen_tid u)
{
  const omen_standstill *s = k->s;
  const omen_model *m = s->model;
  const uint32_t *index = m->trace->index;
  const omen_ids *waits = &s->signals[u].waits;
  uint32_t before = omen_quick_must (s->quick, notify)[u];
  /* those that must have returned before the notify are passed over */
  size_t i = OMEN_FIRST_NOT (n, 0, waits->count,
                             index[m->waits[waits->data[n]].wait] + 1 < before);
  for (; i < waits->count; i++) {
    const omen_wait *w = &m->waits[waits->data[i]];
    if (index[w->wait] >= k->pins[u].cut || is_before (s, notify, w))
      return;
    if (w->condition == omen_model_event (m, notify)->object
        && (w->needs || index[w->wait] + 1 >= k->pins[u].cut)
        && !has (k->asleep, w->wait) && !has (&k->others, w->wait))
      OMEN_VEC_PUSH (k->others, w->wait);
  }
}

#define MOST_NOTIFIES OMEN_HARD_OR (4u, 64u)

/* Do the last notifies of thread u within its cut, with those of threads before
   it, wake the thread? */
static bool
is_woken_by (waking *k, omen_tid u)
{
  const omen_standstill *s = k->s;
  const omen_model *m = s->model;
  const omen_ids *notifies = &s->signals[u].notifies;
  size_t end
      = OMEN_FIRST_NOT (n, 0, notifies->count,
                        m->trace->index[notifies->data[n]] < k->pins[u].cut);
  for (size_t i = end; i-- > 0 && end - i <= MOST_NOTIFIES;) {
    omen_eid notify = notifies->data[i];
    const omen_event *event = omen_model_event (m, notify);
    if (event->object != omen_model_event (m, k->wait)->object)
      continue;
    if (omen_quick_after (s->quick, notify, k->wait, k->cut) != OMEN_ABSENT)
      return false;
    if (event->kind == OMEN_NOTIFY_ALL)
      return true;
    for (omen_tid t = 0; t < m->thread_count; t++)
      if (t != u && t != omen_model_thread (m, k->wait))
        add_others (k, notify, t);
    if (++k->notifies > k->others.count)
      return true;
  }
  return false;
}

bool
omen_standstill_must_wake (omen_standstill *s, const omen_pin *pins,
                           const omen_ids *asleep)
{
  waking k = { .s = s, .pins = pins, .asleep = asleep };
  uint32_t threads = s->model->thread_count;
  bool woken = false;
  if (!asleep->count)
    return false;
  if (!s->signals)
    collect (s);
  k.cut = omen_alloc (threads * sizeof *k.cut);
  for (size_t i = 0; i < asleep->count && !woken; i++) {
    k.wait = asleep->data[i];
    k.notifies = 0;
    OMEN_VEC_CLEAR (k.others);
    for (omen_tid u = 0; u < threads && !woken; u++)
      woken = u != omen_model_thread (s->model, k.wait) && is_woken_by (&k, u);
  }
  omen_free (k.cut);
  OMEN_VEC_FINI (k.others);
  return woken;
}
