/* Which fields are valid in an event, depending on its kind and on the sizes of
   the trace's tables; computed once when the tables are known, then checked for
   every event.

   The common case takes three comparisons; only an event that fails them
   (`special` kinds, orders, modes, symbols, pointers) is checked in detail.

   Also here: sealing a trace in steps, for a reader that checks events while it
   creates them. */
#ifndef OMEN_TRACE_RULES_H
#define OMEN_TRACE_RULES_H

#include "trace/ids.h"

typedef struct omen_rule {
  uint32_t none;      /* OMEN_NONE for kinds without operand, else 0 */
  uint8_t table;      /* of the object, see ids.h */
  uint8_t value_kind; /* the greatest that needs no detailed check */
  bool special; /* the value is an id or a count, or the kind is unknown */
  bool bare;    /* it has no value: 0 */
} omen_rule;

typedef struct omen_rules {
  omen_rule kind[256];             /* by the whole byte */
  uint32_t limit[OMEN_IDS_TABLES]; /* ids are below this after `none` is
                                      subtracted */
} omen_rules;

void omen_rules_init (omen_rules *rules, const omen_trace *trace);
/* NULL if the event is valid, else the invalid field: "thread", "object" … */
const char *omen_rules_broken (const omen_rules *rules, const omen_trace *trace,
                               const omen_event *event);
bool omen_value_fits (const omen_trace *trace, unsigned kind, uint64_t value);

/* Is the quick check not enough, so that omen_rules_broken has to decide? */
static inline bool
omen_rules_examine (const omen_rules *rules, const omen_event *event)
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
/* Make the threads' lists from index and the threads' counts. */
void omen_seal_lists (omen_trace *trace);
/* Checks that extras are sorted, in range, and of events with
   OMEN_MODE_EXTRA. */
bool omen_seal_extras (const omen_trace *trace, omen_err *err);

#endif
