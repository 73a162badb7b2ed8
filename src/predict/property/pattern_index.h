/* The events that may take the steps of a pattern, by what they bind and by
   thread: found by hashing, so that a binding looks at its own events and no
   others.

     omen_candidate_index_init (&index, model, tracks, property);
     bucket = omen_candidate_index_find (&index, &theta, event, thread);   NULL:
   none for (i < bucket->list.count) bucket->list.data[i] …          in thread
   order

   Once made it is only read. */
#ifndef OMEN_PREDICT_PROPERTY_PATTERN_INDEX_H
#define OMEN_PREDICT_PROPERTY_PATTERN_INDEX_H

#include "base/map.h"
#include "model/model.h"
#include "predict/property/track.h"

/* Trace events of one thread that are one event of the property with the same
   values. */
typedef struct omen_candidate_bucket {
  uint32_t event;
  omen_tid thread;
  uint64_t values[OMEN_PARAMETERS_MAX];
  omen_ids list;
  uint32_t set;    /* of locks: that of the first; in the model's sets */
  bool same_locks; /* all of them hold the same */
  uint32_t older;  /* with the same hash, or OMEN_NONE */
} omen_candidate_bucket;

typedef struct omen_candidate_index {
  const omen_model *model;
  const omen_property *property;
  OMEN_VEC (omen_candidate_bucket) buckets;
  omen_map by_hash; /* newest bucket */
  bool doubles;     /* a trace event is several events of the property */
} omen_candidate_index;

void omen_candidate_index_init (omen_candidate_index *index,
                                const omen_model *model,
                                const omen_tracks *tracks,
                                const omen_property *property);
void omen_candidate_index_fini (omen_candidate_index *index);
/* Those that bind what theta binds or less. */
const omen_candidate_bucket *
omen_candidate_index_find (const omen_candidate_index *index,
                           const omen_theta *theta, uint32_t event,
                           omen_tid thread);

#endif
