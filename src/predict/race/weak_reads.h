/* Weak reads: reads that may see a write of another thread without
   synchronising with it, by weak atomics or by atomics mixed with plain
   accesses.

     T1|w(x)   T1|aw.rlx(f=1)   T2|ar(f=1)   T2|w(x)


   Only with such reads can a race by order not be a race. Let σ show a race by
   order (doc/semantics.md) of a and b, a before b. Leave out everything after a
   or b in synchronised order; then a and b are next. What is left is a
   reordering, except for reads whose write was left out, and these are weak
   reads. So in the trace without its weak reads, a and b race; if they do not
   race there, they have no race by order. Not for traces with failed tries,
   which order without synchronising. */
#ifndef OMEN_PREDICT_RACE_WEAK_READS_H
#define OMEN_PREDICT_RACE_WEAK_READS_H

#include "model/model.h"

typedef struct omen_weak_reads {
  omen_trace trace;  /* the trace without weak reads: they become branches, rmws
                        become writes */
  omen_model *model; /* its model; events keep their ids */
  uint8_t *gone;     /* by event: no access any more */
} omen_weak_reads;

/* For the models rf and value. False: cannot be made; then there is nothing to
   free. */
bool omen_weak_reads_init (omen_weak_reads *weak, const omen_model *model,
                           bool rf);
void omen_weak_reads_fini (omen_weak_reads *weak);

#endif
