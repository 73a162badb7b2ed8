#include "driver/fold.h"
#include "report/cause.h"

#include <string.h>

typedef struct omen_fold_entry entry;

void
omen_fold_init (omen_fold *fold)
{
  *fold = (omen_fold){ 0 };
  omen_names_init (&fold->causes);
  omen_map_init (&fold->group_of);
}

void
omen_fold_lead (omen_finding *finding, size_t k)
{
  omen_finding lead;
  OMEN_REQUIRE (finding->by_cause && k && k <= finding->more.count);
  lead = finding->more.data[k - 1];
  OMEN_REQUIRE (!lead.trace && !lead.more.count);
  lead.by_cause = true;
  lead.left_out = finding->left_out;
  memcpy (&lead.more, &finding->more, sizeof lead.more);
  memset (&finding->more, 0, sizeof finding->more);
  finding->by_cause = false;
  finding->left_out = 0;
  lead.more.data[k - 1] = *finding;
  *finding = lead;
}

/* ---- which have a common cause ---- */

/* The first entry of the group of entry i (union-find). */
static uint32_t
first_of (omen_fold *fold, uint32_t i)
{
  entry *entries = fold->entries.data;
  while (entries[i].first != i)
    i = entries[i].first = entries[entries[i].first].first;
  return i;
}

static void
join_findings (omen_fold *fold, uint32_t a, uint32_t b)
{
  a = first_of (fold, a);
  b = first_of (fold, b);
  if (fold->entries.data[a].folded && fold->entries.data[b].folded)
    return;
  fold->entries.data[a < b ? b : a].first = a < b ? a : b;
}

/* Causes of unverified findings are separate from those of others, so that
   neither hides the other. */
static void
take_causes (omen_fold *fold, omen_reporter *reporter,
             const omen_finding *finding, uint32_t number)
{
  bool unverified = finding->status == OMEN_STATUS_UNVERIFIED;
  omen_causes causes = { 0 };
  omen_causes_of (&causes, reporter, finding);
  for (size_t i = 0; i < causes.count; i++) {
    uint32_t *group = omen_map_at (
        &fold->group_of,
        OMEN_PAIR (unverified, omen_names_id (&fold->causes, causes.data[i],
                                              strlen (causes.data[i]))));
    if (*group == OMEN_NONE)
      *group = number;
    else
      join_findings (fold, *group, number);
  }
  omen_causes_fini (&causes);
}

void
omen_fold_run (omen_fold *fold, const omen_trace *trace,
               omen_findings *findings)
{
  omen_reporter *reporter = omen_reporter_new (trace);
  for (size_t i = 0; i < findings->count; i++) {
    uint32_t number = (uint32_t)fold->entries.count;
    OMEN_REQUIRE (findings->data[i].status != OMEN_STATUS_PREDICTED);
    OMEN_VEC_PUSH (fold->entries, ((entry){ trace, findings, i, number,
                                            findings->data[i].by_cause }));
    findings->data[i].by_cause = true;
    take_causes (fold, reporter, &findings->data[i], number);
  }
  omen_reporter_free (reporter);
}

/* ---- making them one ---- */

static bool
is_of_one_variable (const omen_trace *trace, const omen_finding *finding)
{
  const omen_eid *events = finding->witness.claim.events.data;
  omen_pid one = omen_trace_event (trace, events[1])->object;
  omen_pid two = omen_trace_event (trace, events[2])->object;
  return trace->places.data[one].variable == trace->places.data[two].variable;
}

/* Is the last one of `more` easier to understand? */
static bool
should_lead (const omen_trace *trace, const omen_finding *finding)
{
  const omen_finding *last = &OMEN_VEC_LAST (finding->more);
  return finding->witness.claim.kind == OMEN_CLAIM_ATOMICITY && !last->trace
         && last->witness.claim.kind == OMEN_CLAIM_ATOMICITY
         && is_of_one_variable (trace, last)
         && !is_of_one_variable (trace, finding);
}

/* Move a finding into the first one with its cause. */
static void
add_instance (const entry *lead, const entry *other)
{
  omen_finding *into = &lead->findings->data[lead->at];
  omen_finding *finding = &other->findings->data[other->at];
  OMEN_ASSERT (into->by_cause && !finding->more.count);
  if (omen_finding_pairs (into) == OMEN_FOLD_MOST) {
    into->left_out += finding->count;
    omen_finding_fini (finding);
    return;
  }
  finding->by_cause = false;
  finding->trace = lead->trace == other->trace ? NULL : other->trace;
  OMEN_VEC_PUSH (into->more, *finding);
  if (should_lead (lead->trace, into))
    omen_fold_lead (into, into->more.count);
}

void
omen_fold_end (omen_fold *fold)
{
  for (uint32_t i = 0; i < fold->entries.count; i++) {
    uint32_t first = first_of (fold, i);
    if (first != i)
      add_instance (&fold->entries.data[first], &fold->entries.data[i]);
  }
  /* Keep the leads in each list. */
  for (size_t i = 0; i < fold->entries.count; i++)
    if (!fold->entries.data[i].at)
      fold->entries.data[i].findings->count = 0;
  for (uint32_t i = 0; i < fold->entries.count; i++) {
    const entry *it = &fold->entries.data[i];
    if (it->first == i)
      it->findings->data[it->findings->count++] = it->findings->data[it->at];
  }
  omen_names_fini (&fold->causes);
  omen_map_fini (&fold->group_of);
  OMEN_VEC_FINI (fold->entries);
}
