/* Visit the ids that an event mentions, in the order in which its text mentions
   them.

   Tables are numbered like operands (threads: OMEN_OPERAND_THREAD), places are
   table OMEN_OPERAND_PLACE, and the others follow.

     T1|w(x=&p)|f.c:3     visits  thread, place, variable x, variable p,
     location

   In a trace whose ids are numbered as in its text, an id that was not visited
   before is the next of its table. */
#ifndef OMEN_TRACE_IDS_H
#define OMEN_TRACE_IDS_H

#include "trace/trace.h"

enum {
  OMEN_IDS_LOCATION = OMEN_OPERANDS,
  OMEN_IDS_SYMBOL,
  OMEN_IDS_RMW, /* one an event, and so */
  OMEN_IDS_EMIT,
  OMEN_IDS_TABLES
};

/* The table of an event's object; in that of NOTHING the only id is
   OMEN_NONE. */
static inline unsigned
omen_ids_of_object (unsigned kind)
{
  omen_operand operand = omen_kind_operand (kind);
  return operand == OMEN_OPERAND_VARIABLE ? OMEN_OPERAND_PLACE : operand;
}

typedef void (*omen_id_visit) (void *data, unsigned table, uint32_t id);

static inline __attribute__ ((always_inline)) void
omen_ids_in_value (unsigned kind, uint64_t value, omen_id_visit visit,
                   void *data)
{
  if (kind == OMEN_VALUE_SYMBOL)
    visit (data, OMEN_IDS_SYMBOL, (uint32_t)value);
  else if (kind == OMEN_VALUE_POINTER)
    visit (data, OMEN_OPERAND_VARIABLE, (uint32_t)(value >> 32));
}

static inline __attribute__ ((always_inline)) void
omen_ids_in_init (const omen_trace *trace, const omen_init *init,
                  omen_id_visit visit, void *data)
{
  visit (data, OMEN_OPERAND_PLACE, init->place);
  visit (data, OMEN_OPERAND_VARIABLE, trace->places.data[init->place].variable);
  omen_ids_in_value (init->value_kind, init->value, visit, data);
}

/* The ids in the value of the few kinds whose value is itself an id. */
static inline void
omen_ids_behind_value (const omen_trace *trace, const omen_event *event,
                       omen_id_visit visit, void *data)
{
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &trace->rmws.data[event->value];
    visit (data, OMEN_IDS_RMW, (uint32_t)event->value);
    omen_ids_in_value (rmw->value_kind[0], rmw->value[0], visit, data);
    omen_ids_in_value (rmw->value_kind[1], rmw->value[1], visit, data);
  } else if (event->kind == OMEN_EMIT) {
    const omen_emit *emit = &trace->emits.data[event->value];
    visit (data, OMEN_IDS_EMIT, (uint32_t)event->value);
    for (uint32_t i = 0; i < emit->count; i++) {
      const omen_emit_arg *arg = &trace->emit_args.data[emit->first + i];
      omen_ids_in_value (arg->value_kind, arg->value, visit, data);
    }
  } else if ((event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
             && event->value != OMEN_NONE)
    visit (data, OMEN_OPERAND_LOCK, (uint32_t)event->value);
}

static inline __attribute__ ((always_inline)) void
omen_ids_in_event (const omen_trace *trace, const omen_event *event,
                   unsigned object_table, omen_id_visit visit, void *data)
{
  visit (data, OMEN_OPERAND_THREAD, event->thread);
  if (object_table != OMEN_OPERAND_NOTHING)
    visit (data, object_table, event->object);
  if (object_table == OMEN_OPERAND_PLACE)
    visit (data, OMEN_OPERAND_VARIABLE,
           trace->places.data[event->object].variable);
  omen_ids_in_value (event->value_kind, event->value, visit, data);
  if (event->kind == OMEN_ATOMIC_RMW || event->kind == OMEN_EMIT
      || event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
    omen_ids_behind_value (trace, event, visit, data);
  visit (data, OMEN_IDS_LOCATION, event->location);
}

/* ---- are they the ids of the text? ---- */

/* By table, the ids visited so far, if each came when it was the next. */
typedef struct omen_first_use {
  uint32_t seen[OMEN_IDS_TABLES];
  bool broken; /* some id was not the next of its table */
} omen_first_use;

/* Counts the ids of the init lines. */
void omen_first_use_init (omen_first_use *use, const omen_trace *trace);
void omen_first_use_event (omen_first_use *use, const omen_trace *trace,
                           const omen_event *event);

/* A copy whose ids are numbered as in the text: names, places, … in the order
   of first use, unused ones left out. Not sealed. Frees `trace`. */
omen_trace *omen_trace_renumber_take (omen_trace *trace);

/* An event to copy. If `mark` is OMEN_HAPPENS_BEFORE or OMEN_HAPPENS_AFTER
   (else OMEN_KINDS), an event of that kind on `object` is made instead, with
   the thread and location of the event. */
typedef struct omen_copied {
  omen_eid event;
  omen_kind mark;
  uint32_t object;
} omen_copied;
/* A trace of just these events, with the initial values of their variables. Not
   sealed. */
omen_trace *omen_trace_copy_events (const omen_trace *trace,
                                    const omen_copied *events, size_t count);

#endif
