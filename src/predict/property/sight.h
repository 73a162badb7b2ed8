/* Which bindings see which events (omen_tracks_sees), found by hashing, so that
   thousands of bindings do not each look at the whole trace.

     omen_sight_events (&sight, theta, &events);   what the binding sees
     omen_sight_bindings (&sight, e, &thetas);     who sees the event

   What every binding sees, as it binds nothing or writes what state predicates
   speak of, is in `shared` and told by the first alone. Once made it is only
   read. */
#ifndef OMEN_PREDICT_PROPERTY_SIGHT_H
#define OMEN_PREDICT_PROPERTY_SIGHT_H

#include "base/map.h"
#include "predict/property/bindings.h"

/* Parameters with these values: who binds them, among others, and what does. */
typedef struct omen_sight_bucket {
  omen_theta bound;
  omen_ids events, thetas;
  uint32_t older; /* with the same hash, or OMEN_NONE */
} omen_sight_bucket;

typedef struct omen_sight {
  const omen_model *model;
  const omen_tracks *tracks;
  const omen_thetas *thetas;
  OMEN_VEC (omen_sight_bucket) buckets;
  omen_map by_hash; /* newest bucket */
  omen_ids sets;    /* of parameters that buckets have */
  omen_ids shared;
} omen_sight;

void omen_sight_init (omen_sight *sight, const omen_model *model,
                      const omen_tracks *tracks, const omen_thetas *thetas);
void omen_sight_fini (omen_sight *sight);
/* In the order of the run; replaces what is in `events`. */
void omen_sight_events (const omen_sight *sight, uint32_t theta,
                        omen_ids *events);
/* Ascending; replaces what is in `thetas`. None, if it is shared. */
void omen_sight_bindings (const omen_sight *sight, omen_eid event,
                          omen_ids *thetas);

#endif
