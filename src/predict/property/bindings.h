/* The bindings of a formula's parameters that can have a monitor in some
   reordering of a trace: those of creation events, joined with what the
   following events may bind. They are fewer than all combinations of values,
   since a join needs an event whose enable set has the parameters bound so
   far. */
#ifndef OMEN_PREDICT_PROPERTY_BINDINGS_H
#define OMEN_PREDICT_PROPERTY_BINDINGS_H

#include "base/vec.h"
#include "predict/property/track.h"

typedef OMEN_VEC (omen_theta) omen_thetas;

/* More bindings are not considered. */
#define OMEN_BINDINGS_MAX 20000u

/* Those that may report, in the order in which the trace mentions them. False
   if there are too many. */
bool omen_property_bindings (const omen_tracks *tracks,
                             const omen_property *property, uint32_t formula,
                             omen_thetas *thetas);

#endif
