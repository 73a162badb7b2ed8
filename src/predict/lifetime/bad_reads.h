/* Candidates for lifetimes: reads and writes of another thread that they must
   not see, in groups like those of ends.h.

     T1|alloc.raw(p,8)|f.c:9   T2|r(p+0:4=1)|g.c:4       not initialised yet
     T1|w.gone(m+40:1=1)       T2|ar.rlx(m+40:1=0)       a mutex is destroyed
     T1|w(g=0)                 T2|r.followed(g=&q)       a null pointer

   For uninitialised memory, only the reads of each thread up to the first one
   that saw a write are candidates, since that one must be preserved for the
   later ones. (Not under sliced, where it may not be relevant.) */
#ifndef OMEN_PREDICT_LIFETIME_BAD_READS_H
#define OMEN_PREDICT_LIFETIME_BAD_READS_H

#include "predict/lifetime/ends.h"

/* `left_out`: number of places of reads with too many such writes; only the
   writes near the reads become candidates. */
void omen_bad_reads_init (omen_ends *bad_reads, const omen_model *model,
                          const omen_predict_options *options,
                          uint32_t *left_out);

/* Would it be an error if `read` saw `write` in the atom (doc/semantics.md,
   section 4)? */
bool omen_read_is_bad (const omen_model *model, omen_eid write, omen_eid read,
                       uint32_t atom);

#endif
