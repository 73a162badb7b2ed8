#include "facts.h"

#include <string.h>

static void
read_threads (facts *f)
{
  unsigned length[MOST_THREADS] = { 0 };
  for (unsigned e = 0; e < f->count; e++) {
    const omen_event *event = facts_event (f, e);
    unsigned t = event->thread, k = length[t]++;
    f->kind[e] = event->kind;
    f->thread[e] = (uint8_t)t;
    f->next[e] = f->previous[e] = f->wait_of[e] = NOBODY;
    f->events_of[t][k] = (uint8_t)e;
    if (k) {
      f->previous[e] = f->events_of[t][k - 1];
      f->next[f->previous[e]] = (uint8_t)e;
    }
    f->of_thread[t] |= ONE (e);
    f->all |= ONE (e);
  }
  for (unsigned t = 0; t < f->threads; t++)
    f->events_of[t][length[t]] = NOBODY;
}

static void
read_kinds (facts *f)
{
  for (unsigned e = 0; e < f->count; e++) {
    unsigned kind = f->kind[e];
    if (omen_kind_reads (kind))
      f->readers |= ONE (e);
    if (omen_kind_writes (kind))
      f->writers |= ONE (e);
    if (kind == OMEN_ATOMIC_RMW)
      f->rmws |= ONE (e);
    if (omen_kind_class (kind) == OMEN_CLASS_SYNC)
      f->synchronise |= ONE (e);
    if (omen_kind_class (kind) == OMEN_CLASS_ACCESS)
      f->accesses |= ONE (e);
  }
}

static bool
read_dependences (facts *f, omen_err *err)
{
  const omen_trace *trace = f->trace;
  f->dependences = false;
  for (unsigned e = 0; e < f->count; e++) {
    const omen_extra *extra = omen_trace_extra (trace, e);
    const uint8_t *own = f->events_of[f->thread[e]];
    if (!extra)
      continue;
    for (uint32_t i = 0; i < extra->reads; i++) {
      uint32_t k = trace->dependences.data[extra->first_read + i];
      if (k >= trace->index[e] || !HAS (f->readers, own[k]))
        return omen_err_set (err, "oracle", "event %u: bad dependence", e);
      f->after[e] |= ONE (own[k]);
    }
    if (extra->branch != OMEN_NONE) {
      if (extra->branch >= trace->index[e]
          || f->kind[own[extra->branch]] != OMEN_BRANCH)
        return omen_err_set (err, "oracle", "event %u: bad branch", e);
      f->after[e] |= ONE (own[extra->branch]);
    }
    if (f->after[e])
      f->dependences = true;
  }
  return true;
}

/* What is done in a block depends on what opened it; its end is outside. */
static void
add_opening (facts *f, unsigned b)
{
  unsigned close = f->kind[b] == OMEN_BEGIN ? OMEN_END : OMEN_EXIT;
  unsigned depth = 1;
  for (unsigned e = f->next[b]; e != NOBODY; e = f->next[e]) {
    bool same = facts_event (f, e)->object == facts_event (f, b)->object;
    if (same && f->kind[e] == f->kind[b])
      depth++;
    if (same && f->kind[e] == close && --depth == 0)
      return;
    f->after[e] |= ONE (b);
  }
}

static void
add_openings (facts *f)
{
  for (unsigned b = 0; b < f->count; b++)
    if (f->kind[b] == OMEN_BEGIN || f->kind[b] == OMEN_ENTER)
      add_opening (f, b);
}

bool
facts_read (facts *f, const omen_trace *trace, omen_err *err)
{
  memset (f, 0, sizeof *f);
  f->trace = trace;
  if (trace->events.count > ORACLE_EVENTS)
    return facts_too_much (f, err, "events");
  if (trace->threads.count > MOST_THREADS)
    return facts_too_much (f, err, "threads");
  f->count = (unsigned)trace->events.count;
  f->threads = (unsigned)trace->threads.count;
  read_threads (f);
  read_kinds (f);
  if (!read_dependences (f, err))
    return false;
  add_openings (f);
  return facts_locks (f, err) && facts_order (f, err) && facts_sync (f, err)
         && facts_memory (f, err);
}

bool
facts_conflict (const facts *f, unsigned a, unsigned b)
{
  unsigned no[] = { OMEN_ALLOC, OMEN_EXTERNAL };
  for (unsigned i = 0; i < 2; i++)
    if (f->kind[a] == no[i] || f->kind[b] == no[i])
      return false;
  return f->thread[a] != f->thread[b] && HAS (f->overlaps[a], b)
         && (HAS (f->writers, a) || HAS (f->writers, b));
}

bool
facts_can_race (const facts *f, unsigned a, unsigned b)
{
  return facts_conflict (f, a, b)
         && !(omen_kind_atomic (f->kind[a]) && omen_kind_atomic (f->kind[b]));
}

event_set
facts_block (const facts *f, unsigned b)
{
  unsigned open = f->kind[b];
  unsigned close = open == OMEN_BEGIN ? OMEN_END : OMEN_EXIT;
  uint32_t name = facts_event (f, b)->object;
  event_set inside = ONE (b);
  unsigned depth = 1;
  for (unsigned e = f->next[b]; e != NOBODY && depth; e = f->next[e]) {
    inside |= ONE (e);
    if (facts_event (f, e)->object != name)
      continue;
    if (f->kind[e] == open)
      depth++;
    else if (f->kind[e] == close)
      depth--;
  }
  return inside;
}
