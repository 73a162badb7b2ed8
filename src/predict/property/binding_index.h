/* Index of which bindings see which events (omen_tracks_sees), so that
   thousands of bindings do not scan the whole trace each.

     omen_binding_index_events (&index, theta, &events);   seen by the binding
     omen_binding_index_thetas (&index, e, &thetas);     that see the event

   Events that every binding sees (they bind nothing, or write a variable of a
   state predicate) are in `shared`; omen_binding_index_events returns them,
   omen_binding_index_thetas does not. Read-only after init. */
#ifndef OMEN_PREDICT_PROPERTY_BINDING_INDEX_H
#define OMEN_PREDICT_PROPERTY_BINDING_INDEX_H

#include "base/map.h"
#include "predict/property/bindings.h"

/* Values of some parameters, with the bindings that have them and the events
   that bind them. */
typedef struct omen_binding_bucket {
  omen_theta bound;
  omen_ids events, thetas;
  uint32_t older; /* next bucket with the same hash, or OMEN_NONE */
} omen_binding_bucket;

typedef struct omen_binding_index {
  const omen_model *model;
  const omen_tracks *tracks;
  const omen_thetas *thetas;
  OMEN_VEC (omen_binding_bucket) buckets;
  omen_map by_hash; /* hash -> newest bucket */
  omen_ids sets;    /* the sets of parameters that have buckets */
  omen_ids shared;
} omen_binding_index;

void omen_binding_index_init (omen_binding_index *index,
                              const omen_model *model,
                              const omen_tracks *tracks,
                              const omen_thetas *thetas);
void omen_binding_index_fini (omen_binding_index *index);
/* Replaces `events`, in the order of the trace. */
void omen_binding_index_events (const omen_binding_index *index, uint32_t theta,
                                omen_ids *events);
/* Replaces `thetas`, ascending; empty if all bindings see the event. */
void omen_binding_index_thetas (const omen_binding_index *index, omen_eid event,
                                omen_ids *thetas);

#endif
