/* Findings as paragraphs. */
#include "report/because.h"
#include "base/print.h"
#include "report/pairs.h"
#include "report/words.h"
#include "trace/text.h"

static void
print_locks (omen_reporter *reporter, omen_eid e, FILE *out)
{
  const omen_names *names = &reporter->trace->names[OMEN_OPERAND_LOCK];
  omen_reporter_locks (reporter, e);
  if (!reporter->locks.count) {
    fputs ("no locks held", out);
    return;
  }
  fputs ("holding ", out);
  for (size_t i = 0; i < reporter->locks.count; i++)
    omen_print (out, "%s%s", i ? ", " : "",
                omen_names_text (names, reporter->locks.data[i]));
}

/* "  T1:3 w(x=5) at f.c:3 in g, holding m" */
static void
print_event (omen_reporter *reporter, omen_eid e, const char *before, FILE *out)
{
  const omen_trace *trace = reporter->trace;
  char name[OMEN_EVENT_NAME_MAX], operation[256];
  const char *location = omen_trace_location (trace, e);
  const char *function = omen_reporter_function (trace, e);
  omen_text_operation (trace, e, operation, sizeof operation);
  omen_print (out, "  %s%s %s", before, omen_trace_event_name (trace, e, name),
              operation);
  if (*location)
    omen_print (out, " at %s", location);
  if (function)
    omen_print (out, " in %s", function);
  fputs (", ", out);
  print_locks (reporter, e, out);
  omen_print (out, " (event %u)\n", e);
}

static void
print_title (const omen_reporter *reporter, const omen_finding *finding,
             unsigned number, FILE *out)
{
  if (number)
    omen_print (out, "[%u] ", number);
  omen_words_severity (reporter->trace, finding, out);
  omen_words_headline (reporter, finding, out);
  if (omen_finding_instances (finding) > 1)
    omen_print (out, " (%u instances)", omen_finding_instances (finding));
  omen_print (out, ", %s (model %s)\n", omen_status_text (finding->status),
              omen_model_text (finding->witness.model));
}

/* The blamed blocks except the first, which is in the title. */
static void
print_blame (const omen_trace *trace, const omen_finding *finding, FILE *out)
{
  omen_ids listed = { 0 };
  size_t more = omen_reporter_blame (trace, finding, &listed);
  fputs ("  nor are the blocks around it atomic:", out);
  for (size_t i = 1; i < listed.count; i++)
    omen_print (out, "%s %s", i > 1 ? "," : "",
                omen_reporter_block (trace, listed.data[i]));
  if (more)
    omen_print (out, ", … %zu more", more);
  fputc ('\n', out);
  OMEN_VEC_FINI (listed);
}

/* A heading for the reads of a location, which come together. */
static void
print_location (omen_reporter *reporter, const omen_finding *finding, FILE *out)
{
  const omen_trace *trace = reporter->trace;
  omen_eid read = finding->witness.claim.events.data[0];
  const char *function;
  uint32_t location = omen_trace_event (trace, read)->location;
  if (reporter->location == location
      || finding->witness.claim.kind == OMEN_CLAIM_FINAL)
    return;
  reporter->location = location;
  function = omen_reporter_function (trace, read);
  omen_print (out, "nondeterministic reads at %s%s%s\n\n",
              omen_trace_location (trace, read), function ? " in " : "",
              function ? function : "");
}

/* The read, the write that it can see, the one that it saw. */
static void
print_nondet (omen_reporter *reporter, const omen_finding *finding, FILE *out)
{
  const omen_eid *claimed = finding->witness.claim.events.data;
  if (finding->witness.claim.kind == OMEN_CLAIM_FINAL) {
    print_event (reporter, claimed[0], "can be  ", out);
    print_event (reporter, finding->writer, "was     ", out);
    return;
  }
  print_event (reporter, claimed[0], "        ", out);
  if (claimed[1] == OMEN_NONE)
    fputs ("  can see the initial value\n", out);
  else
    print_event (reporter, claimed[1], "can see ", out);
  if (finding->writer == OMEN_NONE)
    fputs ("  saw     the initial value\n", out);
  else
    print_event (reporter, finding->writer, "saw     ", out);
}

static void
print_events (omen_reporter *reporter, const omen_finding *finding, FILE *out)
{
  const omen_ids *events = &reporter->events;
  omen_reporter_events (reporter, finding);
  for (size_t i = 0; i < events->count; i++) {
    omen_because why
        = omen_because_of (reporter->trace, finding, events->data[i]);
    print_event (reporter, events->data[i], i ? "and " : "    ", out);
    if (!why.kind)
      continue;
    fputs ("        ", out);
    omen_because_print (reporter->trace, &why, out);
    fputc ('\n', out);
  }
}

/* A monitor may have seen many events: the first and last ones are shown. */
#define SEEN_SHOWN 6u

static void
print_seen (omen_reporter *reporter, const omen_finding *finding, FILE *out)
{
  size_t count;
  omen_reporter_events (reporter, finding);
  count = reporter->events.count;
  for (size_t i = 0; i < count; i++) {
    if (i == SEEN_SHOWN && count > 2 * SEEN_SHOWN) {
      omen_print (out, "  then … (%zu event%s) …\n", count - 2 * SEEN_SHOWN,
                  omen_s (count - 2 * SEEN_SHOWN));
      i = count - SEEN_SHOWN;
    }
    print_event (reporter, reporter->events.data[i], i ? "then " : "     ",
                 out);
  }
}

void
omen_report_text (omen_reporter *reporter, const omen_finding *finding,
                  unsigned number, FILE *out)
{
  if (finding->kind == OMEN_FINDING_NONDET)
    print_location (reporter, finding, out);
  print_title (reporter, finding, number, out);
  (finding->kind == OMEN_FINDING_NONDET ? print_nondet
   : finding->kind == OMEN_FINDING_PROPERTY
           || finding->kind == OMEN_FINDING_LIFETIME
       ? print_seen
       : print_events) (reporter, finding, out);
  if (finding->blame.count > 1)
    print_blame (reporter->trace, finding, out);
  omen_pairs_text (reporter, finding, "  ", out);
  omen_words_said (finding, "  ", out);
  if (finding->note)
    omen_print (out, "  %s\n", finding->note);
  if (finding->outcome)
    omen_print (out, "  replay: %s\n", finding->outcome);
  if (finding->witness.sequence.count
      || finding->status <= OMEN_STATUS_DIVERGED) {
    fputs ("  ", out);
    omen_words_schedule (reporter, finding, out);
    omen_words_outcome (reporter->trace, finding, out);
    fputc ('\n', out);
  }
  fputc ('\n', out);
}
