/* What findings of one cause have in common. One mistake may show at every slot
   of an array, in every copy of a template, at every field of a struct: these
   are instances of one finding.

   Races, reads and misuses have a common cause if they are about

     the same part of a variable       slots[3], slots[8]; box<int>::n,
                                       box<char>::n; settings.size
     parts of one object, in the same  state.mode and state.level, both written
     functions                         by change and read by look
     the same lines

   Blocks of the heap have the name of their allocation. Where an allocator of
   the program stands between, that says little: their parts are the same only
   if one of the functions is, too. Lifetimes have a common cause if one
   function ends the same object, whoever uses it then. Deadlocks have a common
   cause if they have the same places, properties if they land at the same one,
   violations of atomicity if the block is the same. */
#ifndef OMEN_REPORT_CAUSE_H
#define OMEN_REPORT_CAUSE_H

#include "report/report.h"

typedef OMEN_VEC (char *) omen_causes;

/* Two findings with one of these texts in common have a common cause. The texts
   hold in other runs of the program, too. */
void omen_causes_of (omen_causes *causes, omen_reporter *reporter,
                     const omen_finding *finding);
/* Is it about a block of the heap? */
bool omen_cause_of_heap (const omen_reporter *reporter,
                         const omen_finding *finding);
void omen_causes_fini (omen_causes *causes);

#endif
