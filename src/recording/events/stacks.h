/* The call stack of an event of a recording, where enter and exit events do not
   determine it.

     main()  bank.c:30  calls withdraw       enter(withdraw) has the stack
     withdraw()  bank.c:12  writes           main bank.c:30

   An enter has the stack of the call: the caller's function, the line of the
   call in it, and the stack of the call that entered the caller. Any other
   event has a stack only if its place is not in the innermost function entered:
   code of a function that has no markers of its own (weave/trim.c), or is not
   woven. Then its first frame is that function, and frames up to the innermost
   function entered follow as far as they are known.

   The line of a call is that of the return address which ENTER notes, or of the
   site that an inlined function names. It is only taken where the code there is
   the caller's: if something that has no markers is in between (qsort, a
   signal) it is left open. Stacks share their outer frames; they go into extras
   when the events have their final numbers. */
#ifndef OMEN_RECORDING_EVENTS_STACKS_H
#define OMEN_RECORDING_EVENTS_STACKS_H

#include "base/map.h"
#include "recording/log/cursor.h"
#include "trace/trace.h"

/* An event and its stack. */
typedef struct omen_stacked {
  omen_eid event;
  uint32_t stack;
} omen_stacked;

typedef struct omen_stacks {
  OMEN_VEC (omen_stacked) list; /* events ascend */
  omen_map places;              /* (function, location) -> number */
  omen_map of;                  /* (number, caller) -> stack */
  omen_ids code_functions;      /* by entry of code: function, or OMEN_NONE */
} omen_stacks;

void omen_stacks_init (omen_stacks *stacks);
void omen_stacks_fini (omen_stacks *stacks);
/* Writes the extras of the trace. `moved`: where events are now (OMEN_NONE:
   gone); NULL: none has moved. */
void omen_stacks_settle (const omen_stacks *stacks, omen_trace *trace,
                         const uint32_t *moved);

#endif
