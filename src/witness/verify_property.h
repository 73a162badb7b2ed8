/* TRUSTED. The claim `property`: the formula, by its definition, on what the
   binding sees of the sequence. Separate from the other claims, since it needs
   nothing of the verifier's state. */
#ifndef OMEN_WITNESS_VERIFY_PROPERTY_H
#define OMEN_WITNESS_VERIFY_PROPERTY_H

#include "witness/verify.h"

/* Does the claimed binding see exactly the claimed events in the sequence, and
   is the formula in the category at the last of them? OMEN_REFUSED_NOT_AT_ALL
   if so, else the reason, with details in err. `strange`: claimed events whose
   reads, the last of their threads, do not see what they saw in the trace. */
omen_refusal omen_property_shown (const omen_trace *trace,
                                  const omen_property_file *file,
                                  const omen_witness *witness,
                                  const omen_ids *strange, omen_err *err);

#endif
