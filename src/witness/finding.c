#include "witness/finding.h"

void
omen_finding_fini (omen_finding *finding)
{
  omen_witness_fini (&finding->witness);
  omen_free (finding->pattern);
  OMEN_VEC_FINI (finding->blame);
  omen_free (finding->note);
  omen_free (finding->outcome);
  finding->outcome = NULL;
  finding->pattern = NULL;
  finding->note = NULL;
}

bool
omen_finding_has_witness (const omen_finding *finding)
{
  return finding->status <= OMEN_STATUS_DIVERGED
         || finding->witness.sequence.count;
}

const char *
omen_finding_kind_text (omen_finding_kind kind)
{
  static const char *const texts[] = { "race", "deadlock", "misuse",
                                       "atomicity", "nondet", "property" };
  OMEN_REQUIRE (kind < OMEN_FINDINGS);
  return texts[kind];
}

const char *
omen_status_text (omen_status status)
{
  static const char *const texts[] = { "predicted", "verified", "confirmed",
                                       "diverged", "unverified", "refuted" };
  OMEN_REQUIRE (status < OMEN_STATUSES);
  return texts[status];
}
