/* For targets that read traces: whatever was read is a run once it is repaired,
   or there is a reason why it cannot be; and it is as good as any other. */
#ifndef OMEN_FUZZ_REPAIRED_H
#define OMEN_FUZZ_REPAIRED_H

#include "trace/repair.h"
#include "trace/wellformed.h"

/* Takes the trace over. NULL: it cannot be repaired. */
static inline omen_trace *
repaired (omen_trace *trace)
{
  omen_repairs repairs = { 0 };
  omen_err err = { 0 }, none = { 0 };
  bool was = omen_wellformed (trace, NULL, &none);
  omen_err why = { 0 };
  trace = omen_trace_repair_take (trace, &repairs, &err);
  OMEN_ASSERT (trace ? !err.set : err.set && err.what[0]);
  OMEN_ASSERT (!trace || omen_wellformed (trace, NULL, &why));
  OMEN_ASSERT (was == !repairs.list.count); /* nothing without need */
  omen_repairs_fini (&repairs);
  return trace;
}

#endif
