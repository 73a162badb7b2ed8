/* Closing a trace: every id checked, threads' lists built. */
#include "trace/pages.h"
#include "trace/rules.h"

#include <stdio.h>

static bool
range_fits (uint32_t first, uint32_t count, size_t all)
{
  return first <= all && count <= all - first;
}

static bool
places_fit (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->places.count; i++) {
    const omen_place *p = &trace->places.data[i];
    if (p->variable >= trace->names[OMEN_OPERAND_VARIABLE].count || !p->size
        || (p->size == OMEN_WHOLE ? p->offset : 0)
        || (p->size != OMEN_WHOLE && p->offset > OMEN_WHOLE - 1 - p->size))
      return false;
  }
  return true;
}

static bool
values_fit (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->inits.count; i++)
    if (trace->inits.data[i].place >= trace->places.count
        || !trace->inits.data[i].value_kind
        || !omen_value_fits (trace, trace->inits.data[i].value_kind,
                             trace->inits.data[i].value))
      return false;
  for (size_t i = 0; i < trace->rmws.count; i++)
    for (int k = 0; k < 2; k++)
      if (!omen_value_fits (trace, trace->rmws.data[i].value_kind[k],
                            trace->rmws.data[i].value[k]))
        return false;
  return true;
}

static bool
emits_fit (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->emits.count; i++)
    if (!range_fits (trace->emits.data[i].first, trace->emits.data[i].count,
                     trace->emit_args.count))
      return false;
  for (size_t i = 0; i < trace->emit_args.count; i++)
    if (trace->emit_args.data[i].key >= trace->strings.count
        || !trace->emit_args.data[i].value_kind
        || !omen_value_fits (trace, trace->emit_args.data[i].value_kind,
                             trace->emit_args.data[i].value))
      return false;
  return true;
}

static bool
stacks_fit (const omen_trace *trace)
{
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

static const char *
path_of_trace (const omen_trace *trace)
{
  return omen_names_text (&trace->strings, trace->path);
}

bool
omen_seal_tables (const omen_trace *trace, omen_err *err)
{
  const char *table = !places_fit (trace)   ? "places"
                      : !values_fit (trace) ? "values"
                      : !emits_fit (trace)  ? "emits"
                      : !stacks_fit (trace) ? "stacks"
                                            : NULL;
  return !table
         || omen_err_set (err, path_of_trace (trace),
                          "the table of %s has an id out of range", table);
}

/* The detailed check of an event that the quick check did not accept; also sets
   forked_by. */
static bool
look_closer (omen_trace *trace, const omen_rules *rules, omen_eid e,
             omen_err *err)
{
  const omen_event *event = &trace->events.data[e];
  const char *broken = omen_rules_broken (rules, trace, event);
  if (broken)
    return omen_err_set (err, path_of_trace (trace),
                         "event %u: the %s is not valid", e, broken);
  if (event->kind == OMEN_FORK
      && trace->threads.data[event->object].forked_by == OMEN_NONE)
    trace->threads.data[event->object].forked_by = e;
  return true;
}

/* Check every event; fill in index, the threads' counts and forked_by. */
static bool
seal_events (omen_trace *trace, omen_err *err)
{
  uint32_t count = (uint32_t)trace->events.count;
  omen_thread *threads = trace->threads.data;
  omen_rules rules;
  OMEN_REQUIRE (!trace->index && !trace->by_thread);
  omen_rules_init (&rules, trace);
  trace->index = omen_alloc (count * sizeof (uint32_t));
  omen_pages_huge (trace->index, count * sizeof (uint32_t));
  for (uint32_t e = 0; e < count; e++) {
    const omen_event *event = &trace->events.data[e];
    if (OMEN_UNLIKELY (omen_rules_examine (&rules, event))
        && !look_closer (trace, &rules, e, err))
      return false;
    trace->index[e] = threads[event->thread].count++;
  }
  return true;
}

void
omen_seal_lists (omen_trace *trace)
{
  uint32_t count = (uint32_t)trace->events.count, sum = 0;
  omen_thread *threads = trace->threads.data;
  OMEN_REQUIRE (trace->index && !trace->by_thread);
  trace->by_thread = omen_alloc (count * sizeof (uint32_t));
  omen_pages_huge (trace->by_thread, count * sizeof (uint32_t));
  for (size_t t = 0; t < trace->threads.count; t++) {
    threads[t].first = sum;
    sum += threads[t].count;
  }
  OMEN_ASSERT (sum == count);
  for (uint32_t e = 0; e < count; e++)
    trace->by_thread[threads[trace->events.data[e].thread].first
                     + trace->index[e]]
        = e;
}

bool
omen_seal_extras (const omen_trace *trace, omen_err *err)
{
  OMEN_REQUIRE (trace->by_thread);
  for (size_t i = 0; i < trace->extras.count; i++) {
    const omen_extra *x = &trace->extras.data[i];
    if (x->event >= trace->events.count
        || !(trace->events.data[x->event].mode & OMEN_MODE_EXTRA)
        || (i && trace->extras.data[i - 1].event >= x->event)
        || !range_fits (x->first_read, x->reads, trace->dependences.count)
        || (x->stack != OMEN_NONE && x->stack >= trace->stacks.count))
      return omen_err_set (err, path_of_trace (trace),
                           "the extras of event %u are not valid", x->event);
  }
  return true;
}

bool
omen_trace_seal (omen_trace *trace, omen_err *err)
{
  OMEN_REQUIRE (!trace->index);
  if (!omen_seal_tables (trace, err) || !seal_events (trace, err))
    return false;
  omen_seal_lists (trace);
  return omen_seal_extras (trace, err);
}

const omen_extra *
omen_trace_extra (const omen_trace *trace, omen_eid e)
{
  size_t low;
  OMEN_REQUIRE (e < trace->events.count);
  if (!(trace->events.data[e].mode & OMEN_MODE_EXTRA))
    return NULL;
  low = OMEN_FIRST_NOT (i, 0, trace->extras.count,
                        trace->extras.data[i].event < e);
  if (low == trace->extras.count || trace->extras.data[low].event != e)
    return NULL;
  return &trace->extras.data[low];
}

bool
omen_trace_is_stuck (const omen_trace *trace)
{
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    uint32_t count = trace->threads.data[t].count;
    if (count
        && omen_trace_event (trace, omen_trace_nth (trace, t, count - 1))->mode
               & OMEN_MODE_STUCK)
      return true;
  }
  return false;
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
  OMEN_REQUIRE (e < trace->events.count);
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
  OMEN_REQUIRE (trace->index && e < trace->events.count);
  snprintf (buffer, OMEN_EVENT_NAME_MAX, "%.100s:%u",
            omen_trace_thread_name (trace, trace->events.data[e].thread),
            trace->index[e]);
  return buffer;
}
