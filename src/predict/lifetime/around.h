/* The writes that a read of an address may see instead of the one that it saw:
   those of its atom, or, if there are many, those near the read in the order of
   the trace.

     T2|acq(m)  T2|r(g=&q)  T2|r.followed(g=&q)  T2|rel(m)

   There are none if the thread's previous access of the atom was in a section
   of a lock that it still holds, and all such writes are in sections of this
   lock: none can come between the two accesses, and the previous access decides
   whether an earlier one is seen. */
#ifndef OMEN_PREDICT_LIFETIME_AROUND_H
#define OMEN_PREDICT_LIFETIME_AROUND_H

#include "base/map.h"
#include "model/model.h"

typedef struct omen_around {
  const omen_model *model;
  bool sliced;
  omen_ids writes; /* of the atom, in order; filled in by the owner */
  omen_ids guards; /* locks that all of them hold, not shared */
  size_t near;     /* number of writes to look at on each side of a read */
  omen_map left;   /* locations of reads with writes that are too far */
} omen_around;

void omen_around_init (omen_around *around, const omen_model *model,
                       bool sliced);
void omen_around_fini (omen_around *around);
/* To be called when `writes` was filled in for another atom; `reads`: upper
   bound of its reads. `guarded`: omit writes that locks exclude. */
void omen_around_begin (omen_around *around, uint32_t reads, bool guarded);
/* Those of `writes` that the read may see: [from, to). */
void omen_around_read (omen_around *around, omen_eid read, uint32_t atom,
                       size_t *from, size_t *to);

/* The previous access of the atom by the same thread, or OMEN_NONE. */
omen_eid omen_around_previous (const omen_model *model, omen_eid access,
                               uint32_t atom);

#endif
