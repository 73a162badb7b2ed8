/* TRUSTED. The base order: the order of the file, except that an acquire of a
   lock that is still held is delayed, with the rest of its thread, until the
   lock is free. */
#include "witness/verify_facts.h"

bool
omen_holding_admits (const omen_holding *holding, unsigned kind)
{
  switch (kind) {
  case OMEN_ACQUIRE:
  case OMEN_WAKE:
    return holding->writer == OMEN_NONE && !holding->readers;
  case OMEN_READ_ACQUIRE:
    return holding->writer == OMEN_NONE;
  case OMEN_TRY_FAIL:
    return holding->writer != OMEN_NONE || holding->readers;
  case OMEN_READ_TRY_FAIL:
    return holding->writer != OMEN_NONE;
  default:
    return true;
  }
}

void
omen_holding_apply (omen_holding *holding, const omen_event *event)
{
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_WAKE:
    OMEN_ASSERT (holding->writer == OMEN_NONE);
    holding->writer = event->thread;
    break;
  case OMEN_RELEASE:
  case OMEN_WAIT:
    OMEN_ASSERT (holding->writer == event->thread);
    holding->writer = OMEN_NONE;
    break;
  case OMEN_READ_ACQUIRE:
    OMEN_ASSERT (holding->writer == OMEN_NONE);
    holding->readers++;
    break;
  case OMEN_READ_RELEASE:
    OMEN_ASSERT (holding->readers > 0);
    holding->readers--;
    break;
  default:
    break;
  }
}

typedef struct walk {
  const omen_facts *facts;
  omen_holding *holdings; /* by lock */
  uint32_t *gone;         /* by thread: events placed in the order so far */
  bool *late;             /* by thread: its next event is before the cursor */
  uint32_t late_threads;
  omen_eid *order; /* the result so far */
  uint32_t count;
} walk;

/* The holding that may delay e; NULL if nothing can. */
static omen_holding *
holding_of (const walk *w, omen_eid e)
{
  omen_lid lock = omen_facts_lock (w->facts->trace, e);
  if (lock == OMEN_NONE || w->facts->irregular[lock]
      || (w->facts->flags[e] & OMEN_FACT_NESTED))
    return NULL;
  return &w->holdings[lock];
}

/* Failed tries are not delayed: whether the lock was held is checked later. */
static bool
can_go (const walk *w, omen_eid e)
{
  unsigned kind = omen_trace_event (w->facts->trace, e)->kind;
  const omen_holding *holding = holding_of (w, e);
  return !holding || kind == OMEN_TRY_FAIL || kind == OMEN_READ_TRY_FAIL
         || omen_holding_admits (holding, kind);
}

static void
walk_on (walk *w, omen_eid e)
{
  const omen_event *event = omen_trace_event (w->facts->trace, e);
  omen_holding *holding = holding_of (w, e);
  if (holding)
    omen_holding_apply (holding, event);
  OMEN_ASSERT (w->gone[event->thread] == w->facts->trace->index[e]);
  OMEN_ASSERT (w->count < w->facts->trace->events.count);
  w->gone[event->thread]++;
  w->order[w->count++] = e;
}

/* Is the next event of the thread one before the cursor? */
static omen_eid
late_event (const walk *w, omen_tid t, omen_eid cursor)
{
  omen_eid e;
  if (!w->late[t] || w->gone[t] == w->facts->trace->threads.data[t].count)
    return OMEN_NONE;
  OMEN_ASSERT (w->gone[t] < w->facts->trace->threads.data[t].count);
  e = omen_trace_nth (w->facts->trace, t, w->gone[t]);
  return e < cursor ? e : OMEN_NONE;
}

/* Place the late events that can go, least index first, until there is none.
   Threads that have caught up are no longer late. */
static void
catch_up (walk *w, omen_eid cursor)
{
  for (;;) {
    omen_eid least = OMEN_NONE;
    for (omen_tid t = 0; t < w->facts->trace->threads.count; t++) {
      omen_eid e = late_event (w, t, cursor);
      if (w->late[t] && e == OMEN_NONE) {
        OMEN_ASSERT (w->late_threads > 0);
        w->late[t] = false;
        w->late_threads--;
      } else if (e < least && can_go (w, e)) {
        least = e;
      }
    }
    if (least == OMEN_NONE)
      return;
    walk_on (w, least);
  }
}

static void
walk_file (walk *w)
{
  const omen_trace *trace = w->facts->trace;
  for (omen_eid e = 0; e < trace->events.count; e++) {
    omen_tid t = omen_trace_event (trace, e)->thread;
    if (w->late[t])
      continue;
    if (!can_go (w, e)) {
      w->late[t] = true;
      w->late_threads++;
      continue;
    }
    walk_on (w, e);
    if (w->late_threads)
      catch_up (w, e + 1);
  }
}

/* Keep the walk's order, unless it is the file's; false if a thread is still
   delayed. */
static bool
keep_order (omen_facts *facts, walk *w, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  bool same = w->count == trace->events.count;
  for (omen_tid t = 0; !same && t < trace->threads.count; t++)
    if (w->late[t])
      return omen_facts_refuse (
          trace, omen_trace_nth (trace, t, w->gone[t]), err,
          "the lock is held by another thread and never free for it");
  OMEN_ASSERT (w->count == trace->events.count && !w->late_threads);
  for (uint32_t i = 0; same && i < w->count; i++)
    same = w->order[i] == i;
  if (same)
    return true;
  facts->base = w->order;
  w->order = NULL;
  facts->rank = omen_alloc ((w->count + 1) * sizeof (uint32_t));
  for (uint32_t i = 0; i < w->count; i++)
    facts->rank[facts->base[i]] = i;
  return true;
}

bool
omen_facts_base (omen_facts *facts, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  size_t locks = trace->names[OMEN_OPERAND_LOCK].count;
  walk w = { .facts = facts };
  bool ok;
  w.holdings = omen_zalloc (locks + 1, sizeof *w.holdings);
  for (size_t l = 0; l < locks; l++)
    w.holdings[l].writer = OMEN_NONE;
  w.gone = omen_zalloc (trace->threads.count + 1, sizeof *w.gone);
  w.late = omen_zalloc (trace->threads.count + 1, sizeof *w.late);
  w.order = omen_alloc ((trace->events.count + 1) * sizeof *w.order);
  walk_file (&w);
  ok = keep_order (facts, &w, err);
  omen_free (w.holdings);
  omen_free (w.gone);
  omen_free (w.late);
  omen_free (w.order);
  return ok;
}
