#include "cmd/fold.h"

#include <string.h>

void
omen_fold_init (omen_fold *fold)
{
  *fold = (omen_fold){ 0 };
  omen_names_init (&fold->blocks);
}

void
omen_fold_fini (omen_fold *fold)
{
  OMEN_ASSERT (fold->leads.count == fold->blocks.count);
  omen_names_fini (&fold->blocks);
  OMEN_VEC_FINI (fold->leads);
}

void
omen_fold_lead (omen_finding *finding, size_t k)
{
  omen_finding lead;
  OMEN_REQUIRE (finding->by_block && k && k <= finding->more.count);
  lead = finding->more.data[k - 1];
  OMEN_REQUIRE (!lead.trace && !lead.more.count);
  lead.by_block = true;
  memcpy (&lead.more, &finding->more, sizeof lead.more);
  memset (&finding->more, 0, sizeof finding->more);
  finding->by_block = false;
  lead.more.data[k - 1] = *finding;
  *finding = lead;
}

static bool
is_of_one_variable (const omen_trace *trace, const omen_finding *finding)
{
  const omen_eid *events = finding->witness.claim.events.data;
  omen_pid one = omen_trace_event (trace, events[1])->object;
  omen_pid two = omen_trace_event (trace, events[2])->object;
  return trace->places.data[one].variable == trace->places.data[two].variable;
}

static uint32_t
block_of (omen_fold *fold, omen_reporter *reporter, omen_finding *finding)
{
  char *print;
  uint32_t id;
  OMEN_REQUIRE (finding->status != OMEN_STATUS_PREDICTED);
  finding->by_block = true;
  print = omen_report_fingerprint (reporter, finding);
  id = omen_names_id (&fold->blocks, print, strlen (print));
  omen_free (print);
  return id;
}

/* The finding becomes a part of the one that its block has. */
static void
add_pair (const struct omen_fold_lead *lead, const omen_trace *trace,
          omen_finding *finding)
{
  omen_finding *into = &lead->findings->data[lead->at];
  OMEN_ASSERT (into->by_block && !finding->more.count);
  finding->by_block = false;
  finding->trace = lead->trace == trace ? NULL : trace;
  OMEN_VEC_PUSH (into->more, *finding);
  if (!finding->trace && is_of_one_variable (trace, finding)
      && !is_of_one_variable (trace, into))
    omen_fold_lead (into, into->more.count);
}

void
omen_fold_run (omen_fold *fold, const omen_trace *trace,
               omen_findings *findings)
{
  omen_reporter *reporter = omen_reporter_new (trace);
  size_t kept = 0;
  for (size_t i = 0; i < findings->count; i++) {
    omen_finding *finding = &findings->data[i];
    bool stays = finding->witness.claim.kind != OMEN_CLAIM_ATOMICITY;
    if (!stays) {
      uint32_t block = block_of (fold, reporter, finding);
      stays = block == fold->leads.count;
      if (stays)
        OMEN_VEC_PUSH (fold->leads,
                       ((struct omen_fold_lead){ trace, findings, kept }));
      else
        add_pair (&fold->leads.data[block], trace, finding);
    }
    if (stays)
      findings->data[kept++] = *finding;
  }
  findings->count = kept;
  omen_reporter_free (reporter);
}
