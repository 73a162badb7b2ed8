/* Lifetimes (doc/semantics.md, section 4), by a walk over all states. */
#ifndef OMEN_TEST_ORACLE_LIFETIME_H
#define OMEN_TEST_ORACLE_LIFETIME_H

#include "oracle.h"

/* All of them, by events, appended. False: the trace is too large. */
bool oracle_lifetimes (const omen_trace *trace, omen_model_name model,
                       oracle_claims *claims, omen_err *err);

#endif
