#ifndef OMEN_TEST_ORACLE_CANDIDATES_H
#define OMEN_TEST_ORACLE_CANDIDATES_H

#include "facts.h"

/* As oracle_candidates, from facts. */
void candidates (const facts *f, omen_claim_kind kind, oracle_claims *claims);

#endif
