#include "trace/rules.h"

#include <string.h>

bool
omen_value_fits (const omen_trace *trace, unsigned kind, uint64_t value)
{
  switch (kind) {
  case OMEN_VALUE_NONE:
    return !value;
  case OMEN_VALUE_BIG: /* smaller numbers are INT, so that each number has one
                          form */
    return value > INT64_MAX;
  case OMEN_VALUE_SYMBOL:
    return value < trace->symbols.count;
  case OMEN_VALUE_POINTER:
    return value >> 32 < trace->names[OMEN_OPERAND_VARIABLE].count;
  default:
    return kind < OMEN_VALUE_KINDS;
  }
}

static bool
carries_value (unsigned kind)
{
  return kind == OMEN_READ || kind == OMEN_WRITE || kind == OMEN_ATOMIC_READ
         || kind == OMEN_ATOMIC_WRITE;
}

static bool
is_special (unsigned kind)
{
  switch (kind) {
  case OMEN_ATOMIC_RMW:
  case OMEN_WAIT:
  case OMEN_WAKE:
  case OMEN_NOTIFY:
  case OMEN_NOTIFY_ALL:
  case OMEN_EMIT:
  case OMEN_SEM_INIT:
  case OMEN_ARRIVE:
  case OMEN_FORK:
  case OMEN_ALLOC:
  case OMEN_FREE:
    return true;
  default:
    return kind >= OMEN_KINDS;
  }
}

void
omen_rules_init (omen_rules *rules, const omen_trace *trace)
{
  memset (rules, 0, sizeof *rules);
  for (unsigned t = 0; t < OMEN_OPERANDS; t++)
    rules->limit[t] = trace->names[t].count;
  rules->limit[OMEN_OPERAND_NOTHING] = 1;
  rules->limit[OMEN_OPERAND_PLACE] = (uint32_t)trace->places.count;
  rules->limit[OMEN_IDS_LOCATION] = trace->locations.count;
  rules->limit[OMEN_IDS_SYMBOL] = trace->symbols.count;
  rules->limit[OMEN_IDS_RMW] = (uint32_t)trace->rmws.count;
  rules->limit[OMEN_IDS_EMIT] = (uint32_t)trace->emits.count;
  for (unsigned k = 0; k < OMEN_COUNT (rules->kind); k++) {
    omen_rule *rule = &rules->kind[k];
    rule->special = is_special (k);
    if (k >= OMEN_KINDS)
      continue;
    rule->table = (uint8_t)omen_ids_of_object (k);
    rule->none = rule->table == OMEN_OPERAND_NOTHING ? OMEN_NONE : 0;
    rule->value_kind = carries_value (k) ? OMEN_VALUE_INT : OMEN_VALUE_NONE;
    rule->bare = !rule->special && !carries_value (k);
  }
}

/* Is the value in range, for kinds whose value is an id, a count or a value? */
static bool
value_right (const omen_trace *trace, const omen_event *event)
{
  switch (event->kind) {
  case OMEN_ATOMIC_RMW:
    return event->value < trace->rmws.count;
  case OMEN_WAIT:
  case OMEN_WAKE:
    return event->value == OMEN_NONE
           || event->value < trace->names[OMEN_OPERAND_LOCK].count;
  case OMEN_NOTIFY:
  case OMEN_NOTIFY_ALL:
    return event->value == OMEN_NONE;
  case OMEN_EMIT:
    return event->value < trace->emits.count;
  case OMEN_SEM_INIT:
    return event->value <= UINT32_MAX;
  case OMEN_ARRIVE:
    return event->value && event->value <= UINT32_MAX;
  case OMEN_ALLOC:
    return true;
  default:
    return omen_value_fits (trace, event->value_kind, event->value);
  }
}

static bool
order_right (const omen_event *event)
{
  return !event->order
         || (event->order < OMEN_ORDERS
             && (omen_kind_atomic (event->kind) || event->kind == OMEN_FENCE));
}

static bool
mode_right (const omen_event *event)
{
  unsigned allowed = OMEN_MODE_EXTRA;
  if (event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE
      || event->kind == OMEN_SEM_DOWN)
    allowed |= OMEN_MODE_TRY;
  if (omen_mode_remark (event->kind, omen_mode_remarks (event->mode)))
    allowed |= omen_mode_remarks (event->mode);
  if (event->kind == OMEN_WAIT)
    allowed |= OMEN_MODE_TIMEOUT;
  if (event->kind == OMEN_WAKE) /* one of the two */
    allowed |= event->mode & OMEN_MODE_TIMEOUT ? OMEN_MODE_TIMEOUT
                                               : OMEN_MODE_SPURIOUS;
  if (omen_kind_operand (event->kind) == OMEN_OPERAND_OBJECT)
    allowed |= OMEN_MODE_MAYBE;
  if (omen_kind_waits (event->kind))
    allowed |= OMEN_MODE_STUCK;
  return !(event->mode & ~allowed);
}

const char *
omen_rules_broken (const omen_rules *rules, const omen_trace *trace,
                   const omen_event *event)
{
  const omen_rule *rule = &rules->kind[event->kind];
  if (event->kind >= OMEN_KINDS)
    return "kind";
  if (event->thread >= rules->limit[OMEN_OPERAND_THREAD])
    return "thread";
  if (event->location >= rules->limit[OMEN_IDS_LOCATION])
    return "location";
  if (event->object - rule->none >= rules->limit[rule->table])
    return "operand";
  if ((event->kind == OMEN_ALLOC || event->kind == OMEN_FREE)
      && trace->places.data[event->object].size != OMEN_WHOLE)
    return "operand";
  if ((event->value_kind && !carries_value (event->kind))
      || !value_right (trace, event))
    return "value";
  if (!order_right (event))
    return "memory order";
  return mode_right (event) ? NULL : "mode";
}
