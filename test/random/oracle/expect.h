/* For the oracle's tests: traces as text (a semicolon ends a
   line), answers as text.

     expect_claims ("T1|w(x); T2|w(x)", OMEN_MODEL_RF, ORACLE_RACE,
                    "race 0 1");
     expect_pattern (text, OMEN_MODEL_RF, "1 0", true);

   Each of them also compares the two ways of the oracle, for every candidate.
 */
#ifndef OMEN_TEST_ORACLE_EXPECT_H
#define OMEN_TEST_ORACLE_EXPECT_H

#include "unit.h"

#include "oracle.h"

/* Fails the test if the text is no trace. */
omen_trace *expect_trace (const char *text);

/* All true claims of these kinds, in the order of kinds and events, separated
   by "; ". */
void expect_claims (const char *text, omen_model_name model, unsigned kinds,
                    const char *expected);
/* The same where critical sections keep their order. */
void expect_kept_claims (const char *text, omen_model_name model,
                         unsigned kinds, const char *expected);
/* Events as "3 0 2". */
void expect_pattern (const char *text, omen_model_name model,
                     const char *events, bool expected);

/* Do walk and single searches agree on every candidate of the trace? Fails the
   test if not, naming the claim and the seed. */
void expect_agreement (const omen_trace *trace, oracle *o, unsigned kinds,
                       uint64_t seed);
/* Is the claim among those that oracle_new collected? */
bool expect_listed (const oracle *o, const oracle_claim *claim);

#endif
