/* Private to report/: what text and JSON forms share. */
#ifndef OMEN_REPORT_REPORTER_H
#define OMEN_REPORT_REPORTER_H

#include "report/report.h"

/* A stretch of one thread: events [first, end) by index in the thread. */
typedef struct omen_stretch {
  omen_tid thread;
  uint32_t first, end;
} omen_stretch;
typedef OMEN_VEC (omen_stretch) omen_schedule;

/* Memory or a lock that was allocated; objects.h. */
typedef struct omen_told_object {
  bool is_lock;
  uint32_t id;           /* variable or lock */
  omen_eid allocated_by; /* OMEN_NONE: the home has the stack */
  omen_home home;
} omen_told_object;

/* Frames of a stack that a report shows; how many there are beside them it
   says. */
enum { OMEN_FRAMES_MAX = 64 };

typedef struct omen_told_stacks omen_told_stacks; /* json.c */

struct omen_reporter {
  const omen_trace *trace;
  uint32_t location; /* of the last nondeterministic read told as text */
  omen_schedule schedule;
  OMEN_VEC (omen_frame) stack;
  omen_ids locks;
  omen_ids events;
  OMEN_VEC (omen_told_object) objects;
  omen_told_stacks *stacks; /* of the finding that becomes JSON; borrowed */
  omen_eid *allocations;    /* by variable; NULL: not looked for yet */
};

/* The events to tell about, in reporter->events: those of the claim; of an
   atomicity violation the accesses, in the order of the schedule. */
void omen_reporter_events (omen_reporter *reporter,
                           const omen_finding *finding);
/* Name of the variable that an access accesses. */
const char *omen_reporter_variable (const omen_trace *trace, omen_eid e);
/* Does such an event open a block? */
static inline bool
omen_reporter_opens (unsigned kind)
{
  return kind == OMEN_BEGIN || kind == OMEN_ENTER;
}
/* Name of the block that a begin or enter opens. */
const char *omen_reporter_block (const omen_trace *trace, omen_eid open);

/* The sequence as stretches, in reporter->schedule. */
void omen_reporter_schedule (omen_reporter *reporter, const omen_ids *sequence);
/* Locks that e's thread holds just before e by its own events, oldest first,
   in reporter->locks. Walks the thread. */
void omen_reporter_locks (omen_reporter *reporter, omen_eid e);
/* What the finding is about: a variable, the locks, a signal; may be "". */
const char *omen_reporter_subject (const omen_reporter *reporter,
                                   const omen_finding *finding);
/* The lock an event asks for, or OMEN_NONE. */
omen_lid omen_reporter_wanted (const omen_trace *trace, omen_eid e);
/* "f.c" and 12 from "f.c:12"; line 0 if the location has none. */
size_t omen_reporter_file (const char *location, unsigned long *line);
/* The frames around e, innermost first, in reporter->stack: from the trace
   where it has stacks, else by enter and exit events: the innermost one with
   the location of e, the others with that of their call, if it is known. Walks
   the thread. */
void omen_reporter_stack (omen_reporter *reporter, omen_eid e);
/* The frames of a stack of the trace; OMEN_NONE: none. */
void omen_reporter_push_stack (omen_reporter *reporter, uint32_t stack);
/* The innermost of them, or NULL. */
const char *omen_reporter_function (const omen_trace *trace, omen_eid e);
/* Innermost function around e by enter and exit events, or NULL. */
const char *omen_reporter_entered (const omen_trace *trace, omen_eid e);

#endif
