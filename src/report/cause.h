/* Recognises findings with a common cause. One mistake may show in every
   element of an array, every instance of a template, every field of a struct:
   these are instances of one finding.

   Races, reads and misuses have a common cause if they are about

     the same part of a variable       slots[3], slots[8]; box<int>::n,
                                       box<char>::n; settings.size
     parts of one object, in the same  state.mode and state.level, both written
     functions                         by change and read by look
     the same lines

   Heap blocks are named after the line of their allocation. As that may be in
   an allocator of the program, parts of heap blocks are the same only if one of
   the functions is, too, and blocks one object only if their types are the
   same. Lifetimes have a common cause if the same function ends the same
   object. Deadlocks have one if their locations are the same, properties if the
   landing is at the same location, atomicity violations if the block is the
   same, or a copy of its template. */
#ifndef OMEN_REPORT_CAUSE_H
#define OMEN_REPORT_CAUSE_H

#include "report/report.h"

typedef OMEN_VEC (char *) omen_causes;

/* Texts that identify the possible causes: findings have a common cause if they
   share one of them. Valid across runs of the program. */
void omen_causes_of (omen_causes *causes, omen_reporter *reporter,
                     const omen_finding *finding);
/* Print a name without what differs between instances of one cause:
   "box<>::n[].x" for "box<int>::n[3].x", "malloc@f.c:3" for
   "malloc@f.c:3~2". */
void omen_cause_print_common (const char *name, FILE *out);
/* Is the finding about a heap block? */
bool omen_cause_of_heap (const omen_reporter *reporter,
                         const omen_finding *finding);
void omen_causes_fini (omen_causes *causes);

#endif
