/* The writes that a read of an address might see instead of the one that it
   saw: those of its atom, or, if there are many, those that are near it in the
   order of the trace.

     T2|acq(m)  T2|r(g=&q)  T2|r.followed(g=&q)  T2|rel(m)

   If what the thread has just done with the atom, its last read or write, was
   in a section of a lock that it still holds, and all such writes are in
   sections of that lock, there are none: what comes in between is kept out,
   what came before the other read would have been seen by that. */
#ifndef OMEN_PREDICT_LIFETIME_AROUND_H
#define OMEN_PREDICT_LIFETIME_AROUND_H

#include "base/map.h"
#include "model/model.h"

typedef struct omen_around {
  const omen_model *model;
  bool sliced;
  omen_ids writes; /* of the atom, in order; filled in by the owner */
  omen_ids guards; /* locks that all of them hold, not shared */
  size_t near;     /* so many before and after a read are looked at */
  omen_map left;   /* locations of reads with writes that are too far */
} omen_around;

void omen_around_init (omen_around *around, const omen_model *model,
                       bool sliced);
void omen_around_fini (omen_around *around);
/* `writes` is that of another atom now, which has at most so many reads. Only
   if `guarded` those are left out that locks keep out. */
void omen_around_begin (omen_around *around, uint32_t reads, bool guarded);
/* Those of `writes` that the read may see: [from, to). */
void omen_around_read (omen_around *around, omen_eid read, uint32_t atom,
                       size_t *from, size_t *to);

/* The last access of the atom by the thread of this one, before it, or
   OMEN_NONE. */
omen_eid omen_around_previous (const omen_model *model, omen_eid access,
                               uint32_t atom);

#endif
