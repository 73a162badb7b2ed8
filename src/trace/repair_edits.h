/* Private to repair.c: what a pass over the trace requests, and the trace that
   has it. */
#ifndef OMEN_TRACE_REPAIR_EDITS_H
#define OMEN_TRACE_REPAIR_EDITS_H

#include "trace/ids.h"
#include "trace/repair.h"
#include "trace/wellformed_check.h"

/* An event that the logger missed. */
typedef struct omen_repair_addition {
  omen_event event;
  omen_eid before; /* this event of the trace, or its end */
  omen_eid origin; /* the event that messages name for it */
} omen_repair_addition;

typedef struct omen_repairing {
  omen_trace *trace;
  omen_repairs *done;
  omen_ids origin;    /* by event: its index in the original trace */
  uint8_t *was_moved; /* by that index */
  omen_wellformed_check check;

  /* changes that this pass requests */
  uint8_t *drop;                         /* by event */
  omen_eid moved, before;                /* OMEN_NONE: none */
  omen_tid renamed;                      /* this thread … */
  omen_eid from;                         /* … from this event on */
  OMEN_VEC (omen_repair_addition) added; /* by position */
  bool forget;                           /* dependences */
  bool edited, ended;
} omen_repairing;

/* Makes the changes, and the events' original positions follow them. False: the
   result cannot be sealed. */
bool omen_repair_edit (omen_repairing *repairing, omen_err *err);

#endif
