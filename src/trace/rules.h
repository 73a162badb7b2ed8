/* What the fields of an event may be, by kind and by the sizes of the trace's
   tables: made once when the tables are known, then asked for every event.

   The common case is three comparisons; an event that needs a closer look
   (`special` kinds, orders, modes, symbols, pointers) gets it.

   Also here: closing a trace in pieces, for a reader that checks events as it
   makes them. */
#ifndef OMEN_TRACE_RULES_H
#define OMEN_TRACE_RULES_H

#include "trace/ids.h"

typedef struct omen_rule {
  uint32_t none;      /* OMEN_NONE for kinds without operand, else 0 */
  uint8_t table;      /* of the object, see ids.h */
  uint8_t value_kind; /* of a known value, unless the event says otherwise */
  bool special;       /* the value is an id too, or the kind is not known */
  bool bare;          /* it has no value: 0 */
} omen_rule;

typedef struct omen_rules {
  omen_rule kind[256];             /* by the whole byte */
  uint32_t limit[OMEN_IDS_TABLES]; /* ids of the table are below this, once
                                      `none` is subtracted */
} omen_rules;

void omen_rules_init (omen_rules *rules, const omen_trace *trace);
/* NULL if the event fits, else what does not: "thread", "object" … */
const char *omen_rules_broken (const omen_rules *rules, const omen_trace *trace,
                               const omen_event *event);
bool omen_value_fits (const omen_trace *trace, unsigned kind, uint64_t value);

/* Does it need omen_rules_broken to know whether it fits? */
static inline bool
omen_rules_doubt (const omen_rules *rules, const omen_event *event)
{
  const omen_rule *rule = &rules->kind[event->kind];
  return (event->thread >= rules->limit[OMEN_OPERAND_THREAD])
         | (event->location >= rules->limit[OMEN_IDS_LOCATION])
         | (event->object - rule->none >= rules->limit[rule->table])
         | rule->special | (event->value_kind > rule->value_kind)
         | (event->order != 0) | (event->mode != 0)
         | (rule->bare && event->value);
}

/* ---- the pieces of omen_trace_seal, in this order ---- */
bool omen_seal_tables (const omen_trace *trace, omen_err *err);
/* From index and counts: the threads' lists. */
void omen_seal_lists (omen_trace *trace);
/* In order, in range, and exactly the events with OMEN_MODE_EXTRA. */
bool omen_seal_extras (const omen_trace *trace, omen_err *err);

#endif
