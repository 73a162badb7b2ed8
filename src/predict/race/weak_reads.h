/* Reads that may see a write of another thread without being synchronised with
   it: by weak atomics, by atomics mixed with plain accesses.

     T1|w(x)   T1|aw.rlx(f=1)   T2|ar(f=1)   T2|w(x)

   Only over such a read does a race by order differ from a race. Let σ show one
   (doc/semantics.md), a before b. Leave out what a or b reaches in synchronised
   order: what is left has a and b next. It is a reordering but for reads whose
   write was left out and which were not, and that are weak reads only. So in
   the trace without its weak reads a and b race; where they do not, there is no
   race by order of the two. Not for traces with failed tries, which order
   without synchronising. */
#ifndef OMEN_PREDICT_RACE_WEAK_READS_H
#define OMEN_PREDICT_RACE_WEAK_READS_H

#include "model/model.h"

typedef struct omen_weak_reads {
  omen_trace trace;  /* without them: branches, and writes instead of rmws */
  omen_model *model; /* of it; events have the numbers they had */
  uint8_t *gone;     /* by event: it is no access any more */
} omen_weak_reads;

/* For the models rf and value. False: it is not known, nothing to free. */
bool omen_weak_reads_init (omen_weak_reads *weak, const omen_model *model,
                           bool rf);
void omen_weak_reads_fini (omen_weak_reads *weak);

#endif
