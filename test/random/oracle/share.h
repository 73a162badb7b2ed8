/* What a campaign of random traces covered: how many traces have each kind of
   synchronisation, and how many claims of each kind are true.

     oracle_shares shares = { 0 };
     for each trace: oracle_shares_add (&shares, trace, seed);
     if (!oracle_shares_print (&shares, stdout)) …   missed

   The demands: every kind of synchronisation in a tenth of the traces; each
   kind of claim true in 20 to 80 of 100 traces (deadlocks and patterns: of
   100 questions); a fifth of all true claims need critical sections swapped.
   Claims are those of the model value. */
#ifndef OMEN_TEST_ORACLE_SHARE_H
#define OMEN_TEST_ORACLE_SHARE_H

#include "gen.h"
#include "oracle.h"

#include <stdio.h>

#define ORACLE_FEATURES 48

typedef struct oracle_shares {
  unsigned traces, events;
  unsigned features[ORACLE_FEATURES];
  unsigned positive_traces[OMEN_CLAIMS];
  unsigned questions[OMEN_CLAIMS], positives[OMEN_CLAIMS];
  unsigned swapped[OMEN_CLAIMS]; /* positives that need a swap */
} oracle_shares;

void oracle_shares_add (oracle_shares *shares, const omen_trace *trace,
                        uint64_t seed);
/* Lines starting "# share"; false if a demand is missed. */
bool oracle_shares_print (const oracle_shares *shares, FILE *out);

/* `count` random patterns of two or three events of different threads, not in
   the order of the trace (fewer if there are hardly any). */
void oracle_patterns (const omen_trace *trace, oracle_random *random,
                      unsigned count, oracle_claims *claims);

#endif
