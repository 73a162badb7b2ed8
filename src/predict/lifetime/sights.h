/* Candidates for lifetimes: what a thread must not see of another one, in
   groups as those of ends.h.

     T1|alloc.raw(p,8)|f.c:9   T2|r(p+0:4=1)|g.c:4       nothing is there yet
     T1|w.gone(m+40:1=1)       T2|ar.rlx(m+40:1=0)       a mutex is destroyed
     T1|w(g=0)                 T2|r.followed(g=&q)       a null pointer

   Of what is in a block that nobody has written to, only the first read of each
   thread that saw a write counts: that stays before the later ones. (Not so
   under sliced, where a read may be of no relevance.) */
#ifndef OMEN_PREDICT_LIFETIME_SIGHTS_H
#define OMEN_PREDICT_LIFETIME_SIGHTS_H

#include "predict/lifetime/ends.h"

/* `left_out`: reads with too many writes that they must not see; those close
   to them are candidates. */
void omen_sights_init (omen_ends *sights, const omen_model *model,
                       const omen_predict_options *options, uint32_t *left_out);

/* Must `read` not see `write` in the atom (doc/semantics.md, section 4)? */
bool omen_sights_bad (const omen_model *model, omen_eid write, omen_eid read,
                      uint32_t atom);

#endif
