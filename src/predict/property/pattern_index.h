/* Index of the events that can be steps of a pattern, by property event, thread
   and bound values, so that each binding considers its own events only.

     omen_candidate_index_init (&index, model, tracks, property);
     bucket = omen_candidate_index_find (&index, &theta, event, thread);   NULL:
   none for (i < bucket->list.count) bucket->list.data[i] …          in thread
   order

   Read-only after init. */
#ifndef OMEN_PREDICT_PROPERTY_PATTERN_INDEX_H
#define OMEN_PREDICT_PROPERTY_PATTERN_INDEX_H

#include "base/map.h"
#include "model/model.h"
#include "predict/property/track.h"

/* Events of one thread that are the same event of the property, with the same
   values. */
typedef struct omen_candidate_bucket {
  uint32_t event;
  omen_tid thread;
  uint64_t values[OMEN_PARAMETERS_MAX];
  omen_ids list;
  uint32_t set;    /* locks held by the first (in the model's sets) */
  bool same_locks; /* all hold the same locks as the first */
  uint32_t older;  /* next bucket with the same hash, or OMEN_NONE */
} omen_candidate_bucket;

typedef struct omen_candidate_index {
  const omen_model *model;
  const omen_property *property;
  OMEN_VEC (omen_candidate_bucket) buckets;
  omen_map by_hash; /* hash -> newest bucket */
  bool doubles;     /* some trace event is several events of the property */
} omen_candidate_index;

void omen_candidate_index_init (omen_candidate_index *index,
                                const omen_model *model,
                                const omen_tracks *tracks,
                                const omen_property *property);
void omen_candidate_index_fini (omen_candidate_index *index);
/* The bucket of the event in the thread with the values of theta, or NULL. */
const omen_candidate_bucket *
omen_candidate_index_find (const omen_candidate_index *index,
                           const omen_theta *theta, uint32_t event,
                           omen_tid thread);

#endif
