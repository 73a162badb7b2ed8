/* Candidates for nondeterministic reads: the reads of a trace, and for each
   read its rivals, the writes that it could see instead of the one it saw.

   Reads are sorted by source location (in the order of their first read), then
   in the order of the trace, so that reports come grouped. A rival is a write
   and an atom of the read: a read of a range has several atoms, each with its
   own writer. Rivals come in the order of events, the initial write last. */
#ifndef OMEN_PREDICT_RIVALS_H
#define OMEN_PREDICT_RIVALS_H

#include "model/reads_from.h"

typedef struct omen_rival {
  omen_triple triple;
  /* Under value: the rival is an rmw that writes the same value as the read
     saw. So it counts only if it reads another value itself, and hence writes
     another one. */
  bool only_tainted;
} omen_rival;

typedef OMEN_VEC (omen_rival) omen_rivals;

/* All reads of the trace. */
void omen_reads_by_location (const omen_model *model, omen_ids *reads);
/* Append the rivals of a read; those of one write are neighbours. */
void omen_rivals_of (const omen_model *model, omen_eid read, bool by_value,
                     omen_rivals *rivals);
/* An upper bound of the number of rivals. */
uint64_t omen_rivals_count (const omen_model *model, omen_eid read);

#endif
