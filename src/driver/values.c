#include "driver/values.h"

bool
omen_has_values (const omen_trace *trace)
{
  for (size_t e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    if (event->value_kind != OMEN_VALUE_NONE && omen_kind_reads (event->kind))
      return true;
    if (event->kind == OMEN_ATOMIC_RMW
        && trace->rmws.data[event->value].value_kind[0] != OMEN_VALUE_NONE)
      return true;
  }
  return false;
}
