/* Candidates for lifetimes: what a thread is led to by an address that another
   one has left behind, in groups as those of ends.h.

     T1|free(p)    T2|r.freed(g=0)    T0|w(g=&p)      (f, a, w)

   The read a, which saw something else in the trace, sees the write w, and f
   has freed what that points to (doc/semantics.md, "Where a is led"). */
#ifndef OMEN_PREDICT_LIFETIME_LEADS_H
#define OMEN_PREDICT_LIFETIME_LEADS_H

#include "predict/lifetime/ends.h"

/* `left_out`: places of reads with too many writes around them; those close to
   them are candidates. */
void omen_leads_init (omen_ends *leads, const omen_model *model,
                      const omen_predict_options *options, uint32_t *left_out);

#endif
