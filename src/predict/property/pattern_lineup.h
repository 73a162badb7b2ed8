/* The events that may take the steps of a pattern, by what they bind and by
   thread: found by hashing, so that a binding looks at its own events and no
   others.

     omen_lineup_init (&lineup, model, tracks, property);
     troop = omen_lineup_of (&lineup, &theta, event, thread);   NULL: none
     for (i < troop->list.count) troop->list.data[i] …          in thread order

   Once made it is only read. */
#ifndef OMEN_PREDICT_PROPERTY_PATTERN_LINEUP_H
#define OMEN_PREDICT_PROPERTY_PATTERN_LINEUP_H

#include "base/map.h"
#include "model/model.h"
#include "predict/property/track.h"

/* Trace events of one thread that are one event of the property with the same
   values. */
typedef struct omen_troop {
  uint32_t event;
  omen_tid thread;
  uint64_t values[OMEN_PARAMETERS_MAX];
  omen_ids list;
  uint32_t set;    /* of locks: that of the first; in the model's sets */
  bool same_locks; /* all of them hold the same */
  uint32_t older;  /* with the same hash, or OMEN_NONE */
} omen_troop;

typedef struct omen_lineup {
  const omen_model *model;
  const omen_property *property;
  OMEN_VEC (omen_troop) troops;
  omen_map by_hash; /* newest troop */
  bool doubles;     /* a trace event is several events of the property */
} omen_lineup;

void omen_lineup_init (omen_lineup *lineup, const omen_model *model,
                       const omen_tracks *tracks,
                       const omen_property *property);
void omen_lineup_fini (omen_lineup *lineup);
/* Those that bind what theta binds or less. */
const omen_troop *omen_lineup_of (const omen_lineup *lineup,
                                  const omen_theta *theta, uint32_t event,
                                  omen_tid thread);

#endif
