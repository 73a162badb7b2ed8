/* Closing a trace: every id checked, threads' lists built. */
#include "trace/trace.h"

#include <stdio.h>

static bool
value_fits (const omen_trace *trace, unsigned kind, uint64_t value)
{
  switch (kind) {
  case OMEN_VALUE_SYMBOL:
    return value < trace->symbols.count;
  case OMEN_VALUE_POINTER:
    return value >> 32 < trace->names[OMEN_OPERAND_VARIABLE].count;
  default:
    return kind < OMEN_VALUE_KINDS;
  }
}

static bool
object_fits (const omen_trace *trace, const omen_event *event)
{
  switch (omen_kind_operand (event->kind)) {
  case OMEN_OPERAND_NOTHING:
    return event->object == OMEN_NONE;
  case OMEN_OPERAND_PLACE:
  case OMEN_OPERAND_VARIABLE:
    return event->object < trace->places.count;
  default:
    return event->object
           < trace->names[omen_kind_operand (event->kind)].count;
  }
}

/* What the value field points to, for kinds where it is no plain value. */
static bool
second_fits (const omen_trace *trace, const omen_event *event)
{
  switch (event->kind) {
  case OMEN_ATOMIC_RMW:
    return event->value < trace->rmws.count;
  case OMEN_WAIT:
  case OMEN_WAKE:
    return event->value == OMEN_NONE
           || event->value < trace->names[OMEN_OPERAND_LOCK].count;
  case OMEN_EMIT:
    return event->value < trace->emits.count;
  default:
    return value_fits (trace, event->value_kind, event->value);
  }
}

static bool
event_fits (const omen_trace *trace, const omen_event *event)
{
  return event->kind < OMEN_KINDS && event->order < OMEN_ORDERS
         && event->thread < trace->threads.count
         && event->location < trace->locations.count
         && object_fits (trace, event) && second_fits (trace, event);
}

static bool
range_fits (uint32_t first, uint32_t count, size_t all)
{
  return first <= all && count <= all - first;
}

static bool
tables_fit (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->places.count; i++) {
    const omen_place *p = &trace->places.data[i];
    if (p->variable >= trace->names[OMEN_OPERAND_VARIABLE].count || !p->size
        || (p->size == OMEN_WHOLE ? p->offset : 0)
        || (p->size != OMEN_WHOLE && p->offset > OMEN_WHOLE - 1 - p->size))
      return false;
  }
  for (size_t i = 0; i < trace->inits.count; i++)
    if (trace->inits.data[i].place >= trace->places.count
        || !value_fits (trace, trace->inits.data[i].value_kind,
                        trace->inits.data[i].value))
      return false;
  for (size_t i = 0; i < trace->rmws.count; i++)
    for (int k = 0; k < 2; k++)
      if (!value_fits (trace, trace->rmws.data[i].value_kind[k],
                       trace->rmws.data[i].value[k]))
        return false;
  for (size_t i = 0; i < trace->emits.count; i++)
    if (!range_fits (trace->emits.data[i].first, trace->emits.data[i].count,
                     trace->emit_args.count))
      return false;
  for (size_t i = 0; i < trace->emit_args.count; i++)
    if (trace->emit_args.data[i].key >= trace->strings.count
        || !value_fits (trace, trace->emit_args.data[i].value_kind,
                        trace->emit_args.data[i].value))
      return false;
  return true;
}

static bool
extras_fit (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->extras.count; i++) {
    const omen_extra *x = &trace->extras.data[i];
    if (x->event >= trace->events.count
        || (i && trace->extras.data[i - 1].event >= x->event)
        || !range_fits (x->first_read, x->reads, trace->dependences.count)
        || (x->stack != OMEN_NONE && x->stack >= trace->stacks.count))
      return false;
  }
  for (size_t i = 0; i < trace->stacks.count; i++) {
    const omen_frame *f = &trace->stacks.data[i];
    if ((f->function != OMEN_NONE
         && f->function >= trace->names[OMEN_OPERAND_FUNCTION].count)
        || (f->location != OMEN_NONE && f->location >= trace->locations.count)
        || (f->caller != OMEN_NONE && f->caller >= i))
      return false;
  }
  return true;
}

static void
list_threads (omen_trace *trace)
{
  uint32_t count = (uint32_t)trace->events.count, sum = 0;
  omen_thread *threads = trace->threads.data;
  trace->index = omen_alloc (count * sizeof (uint32_t));
  trace->by_thread = omen_alloc (count * sizeof (uint32_t));
  for (uint32_t e = 0; e < count; e++)
    trace->index[e] = threads[trace->events.data[e].thread].count++;
  for (size_t t = 0; t < trace->threads.count; t++) {
    threads[t].first = sum;
    sum += threads[t].count;
  }
  for (uint32_t e = 0; e < count; e++)
    trace->by_thread[threads[trace->events.data[e].thread].first
                     + trace->index[e]]
        = e;
}

static bool
check_events (omen_trace *trace, omen_err *err)
{
  const char *path = omen_names_text (&trace->strings, trace->path);
  for (uint32_t e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    if (OMEN_UNLIKELY (!event_fits (trace, event)))
      return omen_err_set (err, path, "event %u has an id out of range", e);
    if (event->kind == OMEN_FORK
        && trace->threads.data[event->object].forked_by == OMEN_NONE)
      trace->threads.data[event->object].forked_by = e;
  }
  return true;
}

bool
omen_trace_seal (omen_trace *trace, omen_err *err)
{
  const char *path = omen_names_text (&trace->strings, trace->path);
  OMEN_REQUIRE (!trace->index);
  if (!tables_fit (trace) || !extras_fit (trace))
    return omen_err_set (err, path, "a table has an id out of range");
  if (!check_events (trace, err))
    return false;
  list_threads (trace);
  return true;
}

const omen_extra *
omen_trace_extra (const omen_trace *trace, omen_eid e)
{
  size_t low = 0, high = trace->extras.count;
  if (!(trace->events.data[e].mode & OMEN_MODE_EXTRA))
    return NULL;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (trace->extras.data[middle].event < e)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == trace->extras.count || trace->extras.data[low].event != e)
    return NULL;
  return &trace->extras.data[low];
}

const char *
omen_trace_thread_name (const omen_trace *trace, omen_tid t)
{
  return omen_names_text (&trace->names[OMEN_OPERAND_THREAD], t);
}

const char *
omen_trace_variable_name (const omen_trace *trace, omen_vid v)
{
  return omen_names_text (&trace->names[OMEN_OPERAND_VARIABLE], v);
}

const char *
omen_trace_location (const omen_trace *trace, omen_eid e)
{
  return omen_names_text (&trace->locations, trace->events.data[e].location);
}

bool
omen_place_overlap (const omen_place *a, const omen_place *b)
{
  if (a->variable != b->variable)
    return false;
  if (a->size == OMEN_WHOLE || b->size == OMEN_WHOLE)
    return true;
  return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

char *
omen_trace_event_name (const omen_trace *trace, omen_eid e,
                       char buffer[OMEN_EVENT_NAME_MAX])
{
  snprintf (buffer, OMEN_EVENT_NAME_MAX, "%.100s:%u",
            omen_trace_thread_name (trace, trace->events.data[e].thread),
            trace->index[e]);
  return buffer;
}
