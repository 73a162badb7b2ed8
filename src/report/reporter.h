/* Private to report/: shared by the text and JSON forms. */
#ifndef OMEN_REPORT_REPORTER_H
#define OMEN_REPORT_REPORTER_H

#include "report/report.h"

/* A slice of a schedule: events [first, end) of a thread, by index in it. */
typedef struct omen_stretch {
  omen_tid thread;
  uint32_t first, end;
} omen_stretch;
typedef OMEN_VEC (omen_stretch) omen_schedule;

/* An allocated memory block or lock; see objects.h. */
typedef struct omen_reported_object {
  bool is_lock;
  uint32_t id;           /* variable or lock */
  omen_eid allocated_by; /* OMEN_NONE: use the home's stack */
  omen_home home;
} omen_reported_object;

/* Limit of frames in a report, which says how many more there are. */
enum { OMEN_FRAMES_MAX = 64 };

typedef struct omen_json_stacks omen_json_stacks; /* json.c */

struct omen_reporter {
  const omen_trace *trace;
  uint32_t location; /* of the last nondeterministic read in the text */
  omen_schedule schedule;
  OMEN_VEC (omen_frame) stack;
  omen_ids locks;
  omen_ids events;
  OMEN_VEC (omen_reported_object) objects;
  omen_json_stacks *stacks; /* of the current finding in JSON; borrowed */
  omen_eid *allocations;    /* by variable; NULL: not computed yet */
};

/* Sets reporter->events to the events to report: those of the claim; for
   atomicity violations the accesses, in the order of the schedule. */
void omen_reporter_events (omen_reporter *reporter,
                           const omen_finding *finding);
/* Name of the variable of an access. */
const char *omen_reporter_variable (const omen_trace *trace, omen_eid e);
/* Does an event of this kind open a block? */
static inline bool
omen_reporter_opens (unsigned kind)
{
  return kind == OMEN_BEGIN || kind == OMEN_ENTER;
}
/* Name of the block that a begin or enter opens. */
const char *omen_reporter_block (const omen_trace *trace, omen_eid open);
/* The blamed blocks that are listed: OMEN_FRAMES_MAX, and of the others one
   that is marked, which makes an error of the finding. Returns how many are not
   listed. */
size_t omen_reporter_blame (const omen_trace *trace,
                            const omen_finding *finding, omen_ids *listed);

/* Sets reporter->schedule to the slices of the sequence. */
void omen_reporter_schedule (omen_reporter *reporter, const omen_ids *sequence);
/* Sets reporter->locks to the locks that e's thread holds before e (of a wait,
   after it), oldest first. Walks over the thread. */
void omen_reporter_locks (omen_reporter *reporter, omen_eid e);
/* The subject of the finding: a variable, a lock, a signal; may be "". */
const char *omen_reporter_subject (const omen_reporter *reporter,
                                   const omen_finding *finding);
/* The lock that an event acquires or requests, or OMEN_NONE. */
omen_lid omen_reporter_wanted (const omen_trace *trace, omen_eid e);
/* Splits "f.c:12" into the length of "f.c" and 12; line 0 if there is none. */
size_t omen_reporter_file (const char *location, unsigned long *line);
/* Sets reporter->stack to the call stack of e, innermost first: from the
   trace's stacks, else from enter and exit events, with the location of e in
   the innermost frame and those of the calls, if known, in the others. Walks
   over the thread. */
void omen_reporter_stack (omen_reporter *reporter, omen_eid e);
/* Appends the frames of a stack of the trace; OMEN_NONE: none. */
void omen_reporter_push_stack (omen_reporter *reporter, uint32_t stack);
/* The function of the innermost frame, or NULL. */
const char *omen_reporter_function (const omen_trace *trace, omen_eid e);
/* The innermost function around e by enter and exit events, or NULL. */
const char *omen_reporter_entered (const omen_trace *trace, omen_eid e);

#endif
