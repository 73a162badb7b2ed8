/* Judges a replay, by comparing the trace that it recorded with the trace of
   the witness.

   An event of one is found in the other by the path of its thread and the index
   of its item. "Confirmed" means that the new trace itself shows the claim: the
   accesses of a race, the second one pending while the first is done; the
   threads of a deadlock, each waiting for a lock that the next one holds; a
   read with the other value; the events of an atomicity violation in that
   order; a use after the end of what it uses (or a thread killed by it); the
   events of a property in their order, with its monitor reaching the
   verdict. */
#ifndef OMEN_DRIVER_REPLAY_JUDGE_H
#define OMEN_DRIVER_REPLAY_JUDGE_H

#include "driver/spec_list.h"

typedef struct omen_judgement {
  bool confirmed;
  char text[512]; /* what was seen; or where and how it diverged */
} omen_judgement;

/* If `specs` does not have the property of a claim, the order of its events
   suffices. `said`: the report with which AddressSanitizer ended the new run,
   or NULL. */
void omen_judge (omen_judgement *judgement, const omen_trace *trace,
                 const omen_witness *witness, const omen_trace *replayed,
                 const omen_spec_list *specs, const char *said);

#endif
