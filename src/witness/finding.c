#include "witness/finding.h"

void
omen_finding_fini (omen_finding *finding)
{
  OMEN_REQUIRE (finding->by_block || !finding->more.count);
  for (size_t i = 0; i < finding->more.count; i++)
    omen_finding_fini (&finding->more.data[i]);
  OMEN_VEC_FINI (finding->more);
  omen_witness_fini (&finding->witness);
  omen_free (finding->pattern);
  OMEN_VEC_FINI (finding->blame);
  omen_free (finding->note);
  omen_free (finding->outcome);
  finding->outcome = NULL;
  finding->pattern = NULL;
  finding->note = NULL;
}

size_t
omen_finding_pairs (const omen_finding *finding)
{
  return 1 + finding->more.count;
}

const omen_finding *
omen_finding_pair (const omen_finding *finding, size_t k)
{
  OMEN_REQUIRE (k < omen_finding_pairs (finding));
  return k ? &finding->more.data[k - 1] : finding;
}

uint32_t
omen_finding_instances (const omen_finding *finding)
{
  uint32_t sum = 0;
  for (size_t k = 0; k < omen_finding_pairs (finding); k++)
    sum += omen_finding_pair (finding, k)->count;
  return sum;
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
