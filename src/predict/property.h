/* Inside the property detector: what its two ways to look share. One of them
   walks the lattice, the other searches over the events that a binding sees and
   asks the engine which of their orders are possible. */
#ifndef OMEN_PREDICT_PROPERTY_H
#define OMEN_PREDICT_PROPERTY_H

#include "predict/predict.h"
#include "predict/property_bindings.h"

/* One formula of one property over the trace. */
typedef struct omen_property_hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_property *property;
  uint32_t formula;
  omen_observer *observer;
  omen_tracks *tracks;
  omen_thetas thetas;
  omen_predict_stats *stats;
  double deadline; /* of omen_now, for all formulas together; 0: none */
  /* A run that brings binding `theta` into `category` with its last event. Takes
     the sequence over; false: stop. */
  bool (*found) (void *context, const omen_theta *theta, uint32_t category,
                 omen_ids *sequence);
  void *context;
} omen_property_hunt;

/* Each verdict of each binding that is possible, once. False: told to stop. */
bool omen_property_walk (const omen_property_hunt *hunt);
bool omen_property_search (const omen_property_hunt *hunt);

#endif
