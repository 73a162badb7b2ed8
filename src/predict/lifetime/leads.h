/* Candidates for lifetimes: reads that may see another thread's pointer to
   freed memory, in groups like those of ends.h.

     T1|free(p)    T2|r.freed(g=0)    T0|w(g=&p)      (f, a, w)

   The read a, which saw something else in the trace, sees the write w of a
   pointer to what f has freed (doc/semantics.md, "Where a is led"). */
#ifndef OMEN_PREDICT_LIFETIME_LEADS_H
#define OMEN_PREDICT_LIFETIME_LEADS_H

#include "predict/lifetime/ends.h"

/* `left_out`: number of places of reads with too many such writes; only the
   writes near the reads become candidates. */
void omen_leads_init (omen_ends *leads, const omen_model *model,
                      const omen_predict_options *options, uint32_t *left_out);

#endif
