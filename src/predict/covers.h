/* Locks that protect a pair of events of one thread, as small ids.

     T1|acq(m)|        e1 and e2 have m in one section: same = { m }
     T1|e1|
     T1|acq(n)|        both hold n, but released it between: both = { m, n }
     …

   `same`: held throughout, so no other thread can acquire the lock between the
   two. `both`: held at each; if two events of another thread come between and
   hold the lock at each, too, the critical sections still exclude each other.

   Owner: init/fini. Id 0 is the empty set. */
#ifndef OMEN_PREDICT_COVERS_H
#define OMEN_PREDICT_COVERS_H

#include "base/map.h"
#include "base/names.h"
#include "model/model.h"

typedef struct omen_covers {
  const omen_model *model;
  omen_names bytes; /* lock << 1 | mode, ascending: id */
  omen_ids first;   /* by id, and one more: in words */
  omen_ids words;
  omen_ids scratch;
  omen_map same, both; /* (set, set) -> id */
} omen_covers;

void omen_covers_init (omen_covers *covers, const omen_model *model);
void omen_covers_fini (omen_covers *covers);
/* The argument sets are sets of locks held (model->sets). */
uint32_t omen_covers_same (omen_covers *covers, uint32_t a, uint32_t b);
uint32_t omen_covers_both (omen_covers *covers, uint32_t a, uint32_t b);
/* Do they share a lock in conflicting modes? */
bool omen_covers_exclude (const omen_covers *covers, uint32_t a, uint32_t b);

#endif
