/* Threads by their names: thread("teller"). */
#include "witness/observe_state.h"

#include <string.h>

/* The value of emit(…,key=value,…), if it is a word; else NULL. */
static const char *
word_of (const omen_trace *trace, const omen_emit *emit, const char *key)
{
  for (uint32_t i = 0; i < emit->count; i++) {
    const omen_emit_arg *arg = &trace->emit_args.data[emit->first + i];
    if (arg->value_kind == OMEN_VALUE_SYMBOL
        && !strcmp (omen_names_text (&trace->strings, arg->key), key))
      return omen_names_text (&trace->symbols, (uint32_t)arg->value);
  }
  return NULL;
}

static void
take_name (omen_observer *o, const omen_event *event)
{
  const omen_emit *emit = &o->trace->emits.data[event->value];
  const char *name = word_of (o->trace, emit, "name");
  const char *of = word_of (o->trace, emit, "of");
  omen_tid t = of ? omen_names_find (&o->trace->names[OMEN_OPERAND_THREAD], of,
                                     strlen (of))
                  : event->thread;
  if (name && t != OMEN_NONE)
    OMEN_VEC_PUSH (o->thread_names, ((omen_thread_name){ t, name }));
}

bool
omen_property_asks_threads (const omen_property *p)
{
  for (uint32_t e = 0; e < p->events; e++)
    for (uint32_t i = 0; i < p->event[e].cut_count; i++)
      if (p->event[e].cuts[i].only_thread)
        return true;
  return false;
}

void
omen_thread_names_find (omen_observer *o)
{
  const omen_names *signals = &o->trace->names[OMEN_OPERAND_SIGNAL];
  uint32_t signal = omen_names_find (signals, "omen_thread", 11);
  if (signal == OMEN_NONE || !omen_property_asks_threads (o->property))
    return;
  for (omen_eid e = 0; e < o->trace->events.count; e++) {
    const omen_event *event = omen_trace_event (o->trace, e);
    if (event->kind == OMEN_EMIT && event->object == signal)
      take_name (o, event);
  }
}

/* The thread's first event other than allocs of its own memory, or NULL. */
static const omen_event *
first_done (const omen_trace *trace, omen_tid t)
{
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    const omen_event *event
        = omen_trace_event (trace, omen_trace_nth (trace, t, i));
    if (event->kind != OMEN_ALLOC)
      return event;
  }
  return NULL;
}

bool
omen_is_thread (const omen_observer *o, const char *wanted, omen_tid t)
{
  const omen_names *names = o->trace->names;
  const omen_event *first;
  if (!wanted
      || omen_pattern_fits (wanted,
                            omen_names_text (&names[OMEN_OPERAND_THREAD], t)))
    return true;
  for (size_t i = 0; i < o->thread_names.count; i++)
    if (o->thread_names.data[i].thread == t
        && omen_pattern_fits (wanted, o->thread_names.data[i].name))
      return true;
  first = first_done (o->trace, t);
  return first && first->kind == OMEN_ENTER
         && omen_pattern_fits (
             wanted,
             omen_names_text (&names[OMEN_OPERAND_FUNCTION], first->object));
}
