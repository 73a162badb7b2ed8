/* Inside the property detector: what its two ways to look share. One of them
   walks the lattice, the other searches over the events that a binding sees and
   asks the engine which of their orders are possible. */
#ifndef OMEN_PREDICT_PROPERTY_PROPERTY_H
#define OMEN_PREDICT_PROPERTY_PROPERTY_H

#include "predict/predict.h"
#include "predict/property/bindings.h"

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
  omen_deadline deadline; /* for all formulas together */
  /* A run that brings binding `theta` into `category` with its last event.
     Takes the sequence over; false: stop. */
  bool (*found) (void *context, const omen_theta *theta, uint32_t category,
                 omen_ids *sequence);
  /* Such a run that ends with event `last` would be told together with one that
     has been found: it is counted there, and no sequence is needed. */
  bool (*fold) (void *context, uint32_t category, omen_eid last);
  void *context;
} omen_property_hunt;

/* What questions say about a binding of a pattern. */
typedef enum omen_property_fate {
  OMEN_PROPERTY_OPEN,
  OMEN_PROPERTY_DONE, /* found */
  OMEN_PROPERTY_REFUTED,
  OMEN_PROPERTY_TIRED,  /* undecided: too much to do */
  OMEN_PROPERTY_BEYOND, /* undecided: windows are too small */
  OMEN_PROPERTY_MACHINE /* for the search over cuts to say */
} omen_property_fate;

/* How much of a run it takes until the binding lands in one of the categories,
   by its monitor, and in which; 0: it does not. */
size_t omen_property_landing (const omen_property_hunt *hunt,
                              const omen_theta *theta, const omen_ids *sequence,
                              uint32_t *categories);

/* Do all reads of the run see what they saw, but for the last of a thread that
   the binding does not see, or whose value it does not look at? Then its claims
   hold of it. */
bool omen_property_kept (const omen_property_hunt *hunt,
                         const omen_theta *theta, const omen_ids *sequence);

/* Each verdict of each binding that is possible, once. False: told to stop. */
bool omen_property_walk (const omen_property_hunt *hunt);
bool omen_property_search (const omen_property_hunt *hunt);

/* Patterns as questions: what can be said so about the bindings (by number, all
   OPEN before). No verdict for any other logic: all are the machine's. */
bool omen_property_ask (const omen_property_hunt *hunt,
                        omen_property_fate *fates);

#endif
