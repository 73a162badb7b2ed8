/* Candidates for lifetimes, in groups: an event that ends the lifetime of
   something, and a use of it by another thread.

     T1|free(p)|f.c:9      T2|r(p+8:4)|g.c:4      (f, a), group f.c:9 with g.c:4

   Pairs are left out if the use must happen before the end in every reordering
   (doc/semantics.md, rules 1 to 4), because of a join, for example. An
   instance of a block is freed once, so there are no more pairs than
   accesses. */
#ifndef OMEN_PREDICT_LIFETIME_ENDS_H
#define OMEN_PREDICT_LIFETIME_ENDS_H

#include "predict/asker.h"

typedef struct omen_end_pair {
  omen_eid end, use;
  uint32_t group;
  omen_eid write; /* that the use sees, if it is not `end` (leads.h) */
} omen_end_pair;

typedef struct omen_ends {
  OMEN_VEC (omen_end_pair)
  pairs;          /* by group, then by distance of the two events */
  omen_ids first; /* by group: its first pair; one entry more */
} omen_ends;

void omen_ends_init (omen_ends *ends, const omen_model *model,
                     omen_group_by group);
void omen_ends_fini (omen_ends *ends);
/* Sort the pairs, when all have been added. */
void omen_ends_close (omen_ends *ends, const omen_model *model);
uint32_t omen_ends_groups (const omen_ends *ends);
/* omen_enumerate: (end, use), and the write if there is one. */
void omen_ends_each (const void *ends, uint32_t group, omen_asker_each each,
                     void *context);

/* Does `end` end the lifetime of what `use` accesses (doc/semantics.md,
   section 4)? */
bool omen_ends_use (const omen_model *model, omen_eid end, omen_eid use);
/* Pairs with the same key form a group. */
uint64_t omen_ends_key (const omen_model *model, omen_group_by group,
                        omen_eid end, omen_eid use);

#endif
