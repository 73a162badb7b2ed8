#include "witness/finding.h"

void
omen_finding_fini (omen_finding *finding)
{
  OMEN_REQUIRE (finding->by_cause || !finding->more.count);
  for (size_t i = 0; i < finding->more.count; i++)
    omen_finding_fini (&finding->more.data[i]);
  OMEN_VEC_FINI (finding->more);
  omen_witness_fini (&finding->witness);
  omen_free (finding->pattern);
  OMEN_VEC_FINI (finding->blame);
  omen_free (finding->ending);
  omen_free (finding->said);
  omen_free (finding->note);
  omen_free (finding->outcome);
  finding->outcome = NULL;
  finding->pattern = NULL;
  finding->note = finding->ending = finding->said = NULL;
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
  uint32_t sum = finding->left_out;
  for (size_t k = 0; k < omen_finding_pairs (finding); k++)
    sum += omen_finding_pair (finding, k)->count;
  return sum;
}

bool
omen_finding_has_witness (const omen_finding *finding)
{
  return finding->status <= OMEN_STATUS_DIVERGED
         || (finding->witness.sequence.count && !finding->trial);
}

void
omen_finding_verified (omen_finding *finding)
{
  bool died = finding->kind == OMEN_FINDING_FAILURE && finding->signal;
  bool seen = finding->kind == OMEN_FINDING_FAILURE || finding->seen;
  finding->status = seen ? OMEN_STATUS_CONFIRMED : OMEN_STATUS_VERIFIED;
  if (seen && !finding->outcome)
    finding->outcome
        = omen_strdup (died ? "the recorded run died of it"
                            : "not needed: the recorded run ended so");
}

/* Also if only some of its instances are in a marked block. */
static bool
blames_marked (const omen_trace *trace, const omen_finding *finding)
{
  for (size_t k = 0; k < omen_finding_pairs (finding); k++) {
    const omen_finding *pair = omen_finding_pair (finding, k);
    const omen_trace *its = pair->trace ? pair->trace : trace;
    for (size_t i = 0; i < pair->blame.count; i++)
      if (omen_trace_event (its, pair->blame.data[i])->kind == OMEN_BEGIN)
        return true;
  }
  return false;
}

omen_severity
omen_finding_severity (const omen_trace *trace, const omen_finding *finding)
{
  switch (finding->kind) {
  case OMEN_FINDING_NONDET:
    return OMEN_SEVERITY_NOTE;
  case OMEN_FINDING_ATOMICITY:
    return blames_marked (trace, finding) ? OMEN_SEVERITY_ERROR
                                          : OMEN_SEVERITY_WARNING;
  default:
    return OMEN_SEVERITY_ERROR;
  }
}

const char *
omen_severity_text (omen_severity severity)
{
  static const char *const texts[] = { "note", "warning", "error" };
  OMEN_REQUIRE (severity < OMEN_SEVERITIES);
  return texts[severity];
}

const char *
omen_finding_kind_text (omen_finding_kind kind)
{
  static const char *const texts[]
      = { "race",   "deadlock", "misuse",  "atomicity",
          "nondet", "property", "failure", "lifetime" };
  OMEN_REQUIRE (kind < OMEN_FINDINGS);
  return texts[kind];
}

const char *
omen_status_text (omen_status status)
{
  static const char *const texts[] = { "predicted", "verified",   "confirmed",
                                       "diverged",  "unverified", "refuted" };
  OMEN_REQUIRE (status < OMEN_STATUSES);
  return texts[status];
}
