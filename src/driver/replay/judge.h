/* What came of a replay: the trace that it recorded beside the one that the
   witness is about.

   An event of one is found in the other by the path of its thread and the index
   of its item. Confirmed means that the new trace itself shows the claim: the
   accesses of a race one right after the other, the threads of a deadlock each
   waiting for a lock that the next one holds, a read with the other value, the
   events of an atomicity violation in that order, a use after the end of what
   it uses (or a thread that dies of it); of a property, too, and its monitor
   gets there. */
#ifndef OMEN_DRIVER_REPLAY_JUDGE_H
#define OMEN_DRIVER_REPLAY_JUDGE_H

#include "driver/spec_list.h"

typedef struct omen_judgement {
  bool confirmed;
  char text[512]; /* what was seen; or where and how it went another way */
} omen_judgement;

/* Without the property file of a claim the order of its events has to do.
   `said`: what AddressSanitizer said of the new run, before it ended it; NULL:
   nothing. */
void omen_judge (omen_judgement *judgement, const omen_trace *trace,
                 const omen_witness *witness, const omen_trace *replayed,
                 const omen_spec_list *specs, const char *said);

#endif
