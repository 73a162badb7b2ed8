#include "trace/part.h"
#include "base/mem.h"

/* Keep the first `count` events. */
static void
shorten (omen_trace *trace, uint32_t count)
{
  bool sealed = trace->index;
  omen_err err = { 0 };
  if (count >= trace->events.count)
    return;
  trace->events.count = count;
  trace->events.room = count + 1;
  trace->events.data = omen_realloc (
      trace->events.data, trace->events.room * sizeof *trace->events.data);
  trace->flags |= OMEN_TRACE_PARTIAL;
  while (trace->extras.count && OMEN_VEC_LAST (trace->extras).event >= count)
    trace->extras.count--;
  if (trace->items.count > count)
    trace->items.count = count; /* of recordings */
  if (!sealed)
    return;
  omen_free (trace->index);
  omen_free (trace->by_thread);
  trace->index = trace->by_thread = NULL;
  for (size_t t = 0; t < trace->threads.count; t++) {
    omen_thread *thread = &trace->threads.data[t];
    thread->count = thread->first = 0;
    thread->forked_by = OMEN_NONE;
  }
  sealed = omen_trace_seal (trace, &err);
  OMEN_REQUIRE (sealed); /* it was right as a whole */
}

#define OWN_BYTES (sizeof (omen_event) + sizeof (uint64_t))

void
omen_trace_fit (omen_trace *trace, omen_limits *limits)
{
  omen_rebuild_counts *counts = &trace->rebuilt;
  size_t live = omen_mem_live (), all = trace->events.count, others, room;
  if (!limits || !limits->memory || !limits->event)
    return;
  others = live > all * OWN_BYTES ? live - all * OWN_BYTES : 0;
  room = limits->memory > others
             ? (limits->memory - others) / (OWN_BYTES + limits->event)
             : 0;
  if (all <= room)
    return;
  shorten (trace, (uint32_t)room);
  if (!counts->cut) {
    counts->cut = limits->hit = OMEN_LIMIT_MEMORY;
    counts->part = counts->whole = all;
  }
  counts->part = (uint64_t)((double)counts->part * (double)room / (double)all);
}

double
omen_trace_part (const omen_trace *trace)
{
  const omen_rebuild_counts *counts = &trace->rebuilt;
  return counts->cut ? (double)counts->part / (double)counts->whole : 1;
}

void
omen_trace_warn_part (omen_trace *trace)
{
  static const char *const reasons[]
      = { [OMEN_LIMIT_TIME] = "time is short",
          [OMEN_LIMIT_MEMORY] = "memory is short",
          [OMEN_LIMIT_STOP] = "interrupted" };
  const omen_rebuild_counts *counts = &trace->rebuilt;
  size_t count = trace->events.count;
  char last[OMEN_EVENT_NAME_MAX] = "nothing";
  if (!counts->cut)
    return;
  if (count)
    omen_trace_event_name (trace, (omen_eid)count - 1, last);
  omen_trace_warn (trace,
                   "%s: only the first %.3g %% of it is analysed (%zu events, "
                   "up to %s)",
                   reasons[counts->cut], 100 * omen_trace_part (trace), count,
                   last);
}
