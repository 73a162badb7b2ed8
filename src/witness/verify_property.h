/* TRUSTED. The claim `property`: the monitor itself, over the sequence. Apart
   from the other claims, since it needs nothing of the verifier's state. */
#ifndef OMEN_WITNESS_VERIFY_PROPERTY_H
#define OMEN_WITNESS_VERIFY_PROPERTY_H

#include "witness/witness.h"

struct omen_property;

/* Does the monitor of the claimed binding see exactly the claimed events in the
   sequence, and land in the category at the last of them? */
bool omen_property_shown (const omen_trace *trace,
                          const struct omen_property *properties,
                          uint32_t count, const omen_witness *witness,
                          omen_err *err);

#endif
