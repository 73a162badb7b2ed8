/* Index of which bindings see which events (omen_tracks_sees), so that
   thousands of bindings do not scan the whole trace each.

     omen_sight_events (&sight, theta, &events);   seen by the binding
     omen_sight_bindings (&sight, e, &thetas);     that see the event

   Events that every binding sees (they bind nothing, or write a variable of a
   state predicate) are in `shared`; omen_sight_events returns them,
   omen_sight_bindings does not. Read-only after init. */
#ifndef OMEN_PREDICT_PROPERTY_SIGHT_H
#define OMEN_PREDICT_PROPERTY_SIGHT_H

#include "base/map.h"
#include "predict/property/bindings.h"

/* Values of some parameters, with the bindings that have them and the events
   that bind them. */
typedef struct omen_sight_bucket {
  omen_theta bound;
  omen_ids events, thetas;
  uint32_t older; /* next bucket with the same hash, or OMEN_NONE */
} omen_sight_bucket;

typedef struct omen_sight {
  const omen_model *model;
  const omen_tracks *tracks;
  const omen_thetas *thetas;
  OMEN_VEC (omen_sight_bucket) buckets;
  omen_map by_hash; /* hash -> newest bucket */
  omen_ids sets;    /* the sets of parameters that have buckets */
  omen_ids shared;
} omen_sight;

void omen_sight_init (omen_sight *sight, const omen_model *model,
                      const omen_tracks *tracks, const omen_thetas *thetas);
void omen_sight_fini (omen_sight *sight);
/* Replaces `events`, in the order of the trace. */
void omen_sight_events (const omen_sight *sight, uint32_t theta,
                        omen_ids *events);
/* Replaces `thetas`, ascending; empty if all bindings see the event. */
void omen_sight_bindings (const omen_sight *sight, omen_eid event,
                          omen_ids *thetas);

#endif
