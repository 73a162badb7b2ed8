/* Private to the property detector: shared by its two searches. One walks the
   lattice; the other enumerates orders of the events that a binding sees, and
   asks the engine which are possible. */
#ifndef OMEN_PREDICT_PROPERTY_PROPERTY_H
#define OMEN_PREDICT_PROPERTY_PROPERTY_H

#include "predict/predict.h"
#include "predict/property/bindings.h"

/* One formula of one property on the trace. */
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
  /* Reports a run that brings binding `theta` into `category` at its last
     event. Takes ownership of the sequence. Returns false to stop. */
  bool (*found) (void *context, const omen_theta *theta, uint32_t category,
                 omen_ids *sequence);
  /* Does a run that ends with event `last` belong to a report that exists? Then
     it is counted there, and no sequence is needed. */
  bool (*fold) (void *context, uint32_t category, omen_eid last);
  void *context;
} omen_property_hunt;

/* The outcome of questions about a binding of a pattern. */
typedef enum omen_property_fate {
  OMEN_PROPERTY_OPEN,
  OMEN_PROPERTY_DONE, /* found */
  OMEN_PROPERTY_REFUTED,
  OMEN_PROPERTY_TIRED,  /* undecided: a limit was hit */
  OMEN_PROPERTY_BEYOND, /* undecided: windows are too small */
  OMEN_PROPERTY_MACHINE /* left to the search over cuts */
} omen_property_fate;

/* How many events of the run it takes until the binding's monitor lands in one
   of the categories, and in which; 0 if it never does. */
size_t omen_property_landing (const omen_property_hunt *hunt,
                              const omen_theta *theta, const omen_ids *sequence,
                              uint32_t *categories);

/* Are all reads of the run preserved, except for the last one of a thread if
   the binding does not see it or does not use its value? Then claims about the
   binding hold. */
bool omen_property_kept (const omen_property_hunt *hunt,
                         const omen_theta *theta, const omen_ids *sequence);

/* Report each possible verdict of each binding once. False: stopped. */
bool omen_property_walk (const omen_property_hunt *hunt);
bool omen_property_search (const omen_property_hunt *hunt);

/* Decide bindings of a pattern by questions to the engine; `fates` are by
   binding, initially OPEN. Leaves formulas of other logics to the search over
   cuts. */
bool omen_property_ask (const omen_property_hunt *hunt,
                        omen_property_fate *fates);

#endif
