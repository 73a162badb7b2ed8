/* Candidates for nondeterministic reads: the reads of a trace, and for each the
   writes that it could see instead of the one it saw.

   The reads come by source location (in order of their first read), then in the
   order of the trace, so that reports come grouped. A rival is a (write, atom)
   of the read: an access to a range has several atoms, each with its own
   writer. Rivals come in the order of events, the initial write last. */
#ifndef OMEN_PREDICT_RIVALS_H
#define OMEN_PREDICT_RIVALS_H

#include "model/reads_from.h"

typedef struct omen_rival {
  omen_triple triple;
  /* Under value: the rival, an rmw, writes what the read saw. Only if it has
     itself read something else does it write something else. */
  bool only_tainted;
} omen_rival;

typedef OMEN_VEC (omen_rival) omen_rivals;

/* All read events. */
void omen_reads_by_location (const omen_model *model, omen_ids *reads);
/* The rivals of a read, appended; those of one write are next to each other. */
void omen_rivals_of (const omen_model *model, omen_eid read, bool by_value,
                     omen_rivals *rivals);
/* How many (write, atom) there are but the ones it saw: at most so many
   rivals. */
uint64_t omen_rivals_count (const omen_model *model, omen_eid read);

#endif
