#include "report/pairs.h"
#include "base/print.h"
#include "report/words.h"

#include <string.h>

#define PAIRS_SHOWN 10u

omen_reporter *
omen_pair_reporter (omen_reporter *reporter, const omen_finding *pair)
{
  OMEN_REQUIRE (!pair->more.count || !pair->trace); /* no nested instances */
  return pair->trace ? omen_reporter_new (pair->trace) : reporter;
}

void
omen_pair_reporter_done (omen_reporter *reporter, omen_reporter *own)
{
  if (own != reporter)
    omen_reporter_free (own);
}

void
omen_pair_headline (const omen_reporter *reporter, const omen_finding *finding,
                    FILE *out)
{
  const omen_claim *claim = &finding->witness.claim;
  const char *one = omen_reporter_subject (reporter, finding), *two = one;
  OMEN_REQUIRE (finding->kind == OMEN_FINDING_ATOMICITY);
  if (claim->kind == OMEN_CLAIM_ATOMICITY)
    two = omen_reporter_variable (reporter->trace, claim->events.data[2]);
  if (finding->pattern)
    omen_print (out, "%s on ", finding->pattern);
  omen_print (out, "%s", one);
  if (strcmp (one, two))
    omen_print (out, " and %s", two);
}

/* The location in the block where e happens; for events in called functions,
   that of the call. */
static const char *
location_in_block (omen_reporter *reporter, omen_eid block, omen_eid e)
{
  const omen_trace *trace = reporter->trace;
  const omen_event *open = omen_trace_event (trace, block);
  omen_reporter_stack (reporter, e);
  for (size_t i = 0; open->kind == OMEN_ENTER && i < reporter->stack.count;
       i++) {
    const omen_frame *frame = &reporter->stack.data[i];
    if (frame->function == open->object && frame->location != OMEN_NONE)
      return omen_names_text (&trace->locations, frame->location);
  }
  return omen_trace_location (trace, e);
}

/* "R-W-W on x: f.c:3, f.c:5" */
static void
print_pair (omen_reporter *reporter, const omen_finding *pair, FILE *out)
{
  const omen_eid *claimed = pair->witness.claim.events.data;
  bool atomicity = pair->kind == OMEN_FINDING_ATOMICITY;
  const char *before = ": ";
  char part[OMEN_PART_NAME_MAX];
  if (atomicity)
    omen_pair_headline (reporter, pair, out);
  else
    omen_print (out, "%s", omen_words_subject (reporter, pair, part));
  omen_reporter_events (reporter, pair);
  for (size_t i = 0; i < (atomicity ? 2 : reporter->events.count); i++) {
    const char *location
        = atomicity /* B e1 e2 … */
              ? location_in_block (reporter, claimed[0], claimed[i + 1])
              : omen_trace_location (reporter->trace, reporter->events.data[i]);
    if (!*location)
      continue;
    omen_print (out, "%s%s", before, location);
    before = ", ";
  }
  fputc ('\n', out);
}

void
omen_pairs_text (omen_reporter *reporter, const omen_finding *finding,
                 const char *indent, FILE *out)
{
  size_t count = finding->more.count;
  if (!count)
    return;
  OMEN_REQUIRE (finding->by_cause);
  omen_print (out, "%sother %s%s:\n", indent,
              finding->kind == OMEN_FINDING_ATOMICITY ? "pair" : "instance",
              omen_s (count));
  for (size_t i = 0; i < count && i < PAIRS_SHOWN; i++) {
    const omen_finding *pair = &finding->more.data[i];
    omen_reporter *own = omen_pair_reporter (reporter, pair);
    omen_print (out, "%s  ", indent);
    print_pair (own, pair, out);
    omen_pair_reporter_done (reporter, own);
  }
  if (count > PAIRS_SHOWN)
    omen_print (out, "%s  … %zu more\n", indent,
                count + finding->left_out - PAIRS_SHOWN);
}
