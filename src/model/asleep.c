#include "model/asleep.h"
#include "model/window_rules.h"

#include <stdlib.h>
#include <string.h>

typedef enum act { FALL_ASLEEP, NOTIFY_ONE, NOTIFY_ALL } act;

/* An operation on the condition variable. */
typedef struct operation {
  uint32_t at; /* position in the schedule; past ones first */
  omen_eid event;
  act act;
  uint32_t back; /* of a wait: position of its return, or OMEN_NONE */
  bool stays;    /* of a wait: it is required to stay blocked */
} operation;

typedef OMEN_VEC (operation) operations;

typedef struct condition_state {
  const omen_asleep *asleep;
  uint32_t *place; /* by node: position in the sequence, or OMEN_NONE */
  operations all;  /* operations on the current condition, in order */
  operations here; /* waits that are blocked at this point */
  omen_ways *ways;
} condition_state;

static bool
stays (const omen_asleep *asleep, omen_eid wait)
{
  for (size_t i = 0; i < asleep->waits.count; i++)
    if (asleep->waits.data[i] == wait)
      return true;
  return false;
}

/* Position of the event in the schedule; OMEN_NONE if it is not in it. */
static uint32_t
when (const condition_state *n, omen_eid e)
{
  const omen_window *w = n->asleep->window;
  omen_node node;
  if (e == OMEN_NONE)
    return OMEN_NONE;
  if (omen_window_past (w, e))
    return omen_model_position (w->model, e);
  node = omen_window_node (w, e);
  return node == OMEN_NONE || n->place[node] == OMEN_NONE
             ? OMEN_NONE
             : w->from + n->place[node];
}

static int
by_time (const void *left, const void *right)
{
  const operation *a = left, *b = right;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* Collect the operations on the condition. Waits whose return needs no notify
   (timeout, spurious wakeup) take none and are left out. */
static void
gather_waiting (condition_state *n, uint32_t condition)
{
  const omen_model *m = n->asleep->window->model;
  OMEN_VEC_CLEAR (n->all);
  for (uint32_t i = m->condition_waits[condition];
       i < m->condition_waits[condition + 1]; i++) {
    const omen_wait *wait = &m->waits[i];
    operation o = { when (n, wait->wait), wait->wait, FALL_ASLEEP,
                    when (n, wait->back), stays (n->asleep, wait->wait) };
    if (o.at != OMEN_NONE && (o.back == OMEN_NONE || wait->needs))
      OMEN_VEC_PUSH (n->all, o);
  }
  for (uint32_t i = m->condition_notifies[condition];
       i < m->condition_notifies[condition + 1]; i++) {
    omen_eid e = m->notifies[i];
    bool all = omen_model_event (m, e)->kind == OMEN_NOTIFY_ALL;
    operation o
        = { when (n, e), e, all ? NOTIFY_ALL : NOTIFY_ONE, OMEN_NONE, false };
    if (o.at != OMEN_NONE)
      OMEN_VEC_PUSH (n->all, o);
  }
  OMEN_VEC_SORT (n->all, by_time);
}

/* Wake the waiter that returns first; waiters that never return, but may be
   woken, are taken last. False: a thread wakes that must stay blocked. */
static bool
wake_waiting (condition_state *n, bool all)
{
  size_t best = n->here.count;
  for (size_t i = 0; i < n->here.count; i++)
    if (!n->here.data[i].stays
        && (best == n->here.count
            || n->here.data[i].back < n->here.data[best].back))
      best = i;
  if (all) {
    for (size_t i = 0; i < n->here.count; i++)
      if (n->here.data[i].stays)
        return false;
    OMEN_VEC_CLEAR (n->here);
    return true;
  }
  if (best == n->here.count)
    return !n->here.count;
  n->here.data[best] = OMEN_VEC_LAST (n->here);
  n->here.count--;
  return true;
}

/* ---- ways out ---- */

static void
turn (condition_state *n, const operation *a, const operation *b)
{
  const omen_window *w = n->asleep->window;
  omen_node first = omen_window_past (w, a->event)
                        ? OMEN_NONE
                        : omen_window_node (w, a->event);
  omen_node second = omen_window_past (w, b->event)
                         ? OMEN_NONE
                         : omen_window_node (w, b->event);
  if (first != OMEN_NONE && second != OMEN_NONE
      && omen_model_thread (w->model, a->event)
             != omen_model_thread (w->model, b->event))
    OMEN_VEC_PUSH (*n->ways, ((omen_way){ OMEN_WAY_ORDER, second, first }));
}

/* A return is an operation too: its order relative to the others matters. */
static void
add_returns (condition_state *n)
{
  size_t count = n->all.count;
  for (size_t i = 0; i < count; i++) {
    operation o = n->all.data[i];
    if (o.act != FALL_ASLEEP || o.back == OMEN_NONE)
      continue;
    o.event = omen_model_next (n->asleep->window->model, o.event);
    o.at = o.back;
    OMEN_VEC_PUSH (n->all, o);
  }
  qsort (n->all.data, n->all.count, sizeof *n->all.data, by_time);
}

/* Ways to other sequences: the notify before a wait that must stay blocked, or
   two neighbouring operations swapped. */
static void
ways_out (condition_state *n, operation signal)
{
  for (size_t i = 0; i < n->here.count; i++)
    if (n->here.data[i].stays)
      turn (n, &n->here.data[i], &signal);
  if (signal.act == NOTIFY_ALL) /* each of these waits must come later: one way
                                   is enough */
    n->ways->count = n->ways->count ? 1 : 0;
  else {
    add_returns (n);
    for (size_t i = 1; i < n->all.count; i++)
      turn (n, &n->all.data[i - 1], &n->all.data[i]);
  }
}

/* Waits that return in the sequence have been woken: rule 4 guarantees it. */
static bool
sleeps_on (condition_state *n, uint32_t condition)
{
  gather_waiting (n, condition);
  OMEN_VEC_CLEAR (n->here);
  for (size_t i = 0; i < n->all.count; i++) {
    operation o = n->all.data[i];
    if (o.act == FALL_ASLEEP)
      OMEN_VEC_PUSH (n->here, o);
    else if (!wake_waiting (n, o.act == NOTIFY_ALL)) {
      ways_out (n, o);
      return false;
    }
  }
  return true;
}

bool
omen_asleep_refine (void *context, const omen_node *sequence, uint32_t count,
                    omen_ways *ways, bool *complete)
{
  const omen_asleep *asleep = context;
  const omen_model *m = asleep->window->model;
  uint32_t nodes = asleep->window->problem.nodes;
  condition_state n = { .asleep = asleep, .ways = ways };
  bool ok = true;
  *complete = true;
  n.place = omen_alloc ((nodes + (size_t)1) * sizeof *n.place);
  memset (n.place, 0xff, nodes * sizeof *n.place);
  for (uint32_t i = 0; i < count; i++)
    n.place[sequence[i]] = i;
  for (size_t i = 0; ok && i < asleep->waits.count; i++)
    ok = sleeps_on (&n, omen_model_event (m, asleep->waits.data[i])->object);
  OMEN_VEC_FINI (n.all);
  OMEN_VEC_FINI (n.here);
  omen_free (n.place);
  return ok;
}
