#include "driver/check/turns.h"

#include <stdlib.h>

/* The most severe findings first, unverified ones last. */
static unsigned
rank_of (const omen_trace *trace, const omen_finding *finding)
{
  unsigned severity = omen_finding_severity (trace, finding);
  return finding->status == OMEN_STATUS_UNVERIFIED
             ? OMEN_SEVERITIES
             : OMEN_SEVERITY_ERROR - severity;
}

/* Could a replay still change its status? */
static bool
is_open (const omen_finding *finding)
{
  return !finding->outcome
         && (finding->status == OMEN_STATUS_VERIFIED
             || finding->status == OMEN_STATUS_UNVERIFIED);
}

static int
compare_turns (const void *a, const void *b)
{
  const omen_confirm_turn *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->steps != y->steps)
    return x->steps < y->steps ? -1 : 1;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  return x->finding < y->finding ? -1 : x->finding > y->finding;
}

void
omen_turns_find (omen_confirm_turns *turns, const omen_checked_list *traces)
{
  for (size_t k = 0; k < traces->count; k++)
    for (size_t i = 0; i < traces->data[k].findings.count; i++) {
      const omen_finding *finding = &traces->data[k].findings.data[i];
      omen_confirm_turn turn
          = { .trace = k,
              .finding = i,
              .rank = rank_of (traces->data[k].trace, finding),
              .steps = finding->witness.sequence.count };
      if (is_open (finding))
        OMEN_VEC_PUSH (*turns, turn);
    }
  OMEN_VEC_SORT (*turns, compare_turns);
}
