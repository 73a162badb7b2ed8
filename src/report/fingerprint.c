/* The identity of a finding across runs: no event numbers, no addresses, and
   lines only where the function is unknown. */
#include "report/cause.h"
#include "report/pairs.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

static int
by_text (const void *a, const void *b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

/* A request of a lock, semaphore or join counts as the operation itself, which
   the run may or may not have completed. */
static const char *
act (omen_kind kind)
{
  switch (kind) {
  case OMEN_REQUEST:
  case OMEN_READ_ACQUIRE:
    return omen_kind_text (OMEN_ACQUIRE);
  case OMEN_SEM_REQUEST:
    return omen_kind_text (OMEN_SEM_DOWN);
  case OMEN_JOIN_REQUEST:
    return omen_kind_text (OMEN_JOIN);
  default:
    return omen_kind_text (kind);
  }
}

/* Does the event count? Of a hang, only waits for conditions, semaphores and
   barriers do, if there are any: the others depend on them and vary. */
static bool
is_core (const omen_reporter *reporter, const omen_finding *finding, omen_eid e)
{
  bool core[2] = { false, false }; /* of some event; of e */
  for (size_t i = 0; i < reporter->events.count; i++) {
    omen_operand operand = omen_kind_operand (
        omen_trace_event (reporter->trace, reporter->events.data[i])->kind);
    bool is = operand == OMEN_OPERAND_CONDITION
              || operand == OMEN_OPERAND_SEMAPHORE
              || operand == OMEN_OPERAND_BARRIER;
    core[0] |= is;
    core[1] |= is && reporter->events.data[i] == e;
  }
  return finding->witness.claim.kind != OMEN_CLAIM_STUCK || !core[0] || core[1];
}

/* "w f.c withdraw", or "w f.c:12" if the function is unknown. The function is
   the innermost instrumented one, not one of a library, which many findings
   share. The event of a property may be an access in one run and an emit in
   another, so it is always "emit". */
static char *
event_print (const omen_trace *trace, omen_eid e, bool of_property)
{
  omen_kind kind = of_property ? OMEN_EMIT : omen_trace_event (trace, e)->kind;
  const char *location = omen_trace_location (trace, e);
  const char *function = omen_reporter_entered (trace, e);
  unsigned long line;
  size_t file = omen_reporter_file (location, &line);
  char *text = NULL;
  int length = asprintf (&text, "%s %.*s%s%s", act (kind),
                         (int)(function ? file : strlen (location)), location,
                         function ? " " : "", function ? function : "");
  OMEN_REQUIRE (length >= 0);
  return text;
}

/* Only the block counts, not the pairs of accesses that a run shows. */
static json_t *
block_fingerprint (const omen_trace *trace, const omen_finding *finding)
{
  omen_printed p;
  OMEN_REQUIRE (finding->blame.count);
  fputs ("atomicity of ", omen_printed_open (&p));
  omen_cause_print_common (omen_reporter_block (trace, finding->blame.data[0]),
                           p.file);
  return omen_printed_close (&p);
}

json_t *
omen_words_pair_fingerprint_json (omen_reporter *reporter,
                                  const omen_finding *finding)
{
  OMEN_VEC (char *) parts = { 0 };
  size_t first;
  omen_printed p;
  FILE *out = omen_printed_open (&p);
  omen_reporter_events (reporter, finding);
  OMEN_ASSERT (reporter->events.count
               || finding->kind != OMEN_FINDING_PROPERTY);
  /* of a property only the event at which it lands */
  first
      = finding->kind == OMEN_FINDING_PROPERTY ? reporter->events.count - 1 : 0;
  for (size_t i = first; i < reporter->events.count; i++)
    if (is_core (reporter, finding, reporter->events.data[i]))
      OMEN_VEC_PUSH (parts,
                     event_print (reporter->trace, reporter->events.data[i],
                                  finding->kind == OMEN_FINDING_PROPERTY));
  OMEN_VEC_SORT (parts, by_text);
  fputs (omen_finding_kind_text (finding->kind), out);
  if (finding->kind != OMEN_FINDING_DEADLOCK) /* its first lock may vary */
    fprintf (out, " %s", omen_reporter_subject (reporter, finding));
  if (finding->kind == OMEN_FINDING_ATOMICITY && finding->blame.count)
    fprintf (out, " in %s",
             omen_reporter_block (reporter->trace, finding->blame.data[0]));
  if (finding->kind == OMEN_FINDING_PROPERTY)
    fprintf (out, " %u %s", finding->witness.claim.word,
             finding->witness.claim.about->category);
  for (size_t i = 0; i < parts.count; i++) {
    fprintf (out, "; %s", parts.data[i]);
    free (parts.data[i]);
  }
  OMEN_VEC_FINI (parts);
  return omen_printed_close (&p);
}

/* The fingerprint of an instance: its cause, if that alone identifies it;
   otherwise that of the finding on its own. */
static json_t *
instance_fingerprint (omen_reporter *reporter, const omen_finding *finding)
{
  omen_causes causes = { 0 };
  json_t *text;
  if ((finding->kind != OMEN_FINDING_RACE
       && finding->kind != OMEN_FINDING_NONDET
       && finding->kind != OMEN_FINDING_LIFETIME
       && finding->kind != OMEN_FINDING_MISUSE)
      || (finding->kind != OMEN_FINDING_LIFETIME
          && omen_cause_of_heap (reporter, finding)))
    return omen_words_pair_fingerprint_json (reporter, finding);
  omen_causes_of (&causes, reporter, finding);
  text = omen_words_text (causes.data[0]);
  omen_causes_fini (&causes);
  return text;
}

/* The least fingerprint of all instances: runs show different instances, but
   this one likely in most. */
static json_t *
cause_fingerprint (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *least = NULL;
  for (size_t k = 0; k < omen_finding_pairs (finding); k++) {
    const omen_finding *pair = omen_finding_pair (finding, k);
    omen_reporter *own = omen_pair_reporter (reporter, pair);
    json_t *text = instance_fingerprint (own, pair);
    bool less
        = !least
          || strcmp (json_string_value (text), json_string_value (least)) < 0;
    json_decref (less ? least : text);
    least = less ? text : least;
    omen_pair_reporter_done (reporter, own);
  }
  return least;
}

json_t *
omen_words_fingerprint_json (omen_reporter *reporter,
                             const omen_finding *finding)
{
  if (!finding->by_cause)
    return omen_words_pair_fingerprint_json (reporter, finding);
  return finding->kind == OMEN_FINDING_ATOMICITY
             ? block_fingerprint (reporter->trace, finding)
             : cause_fingerprint (reporter, finding);
}

char *
omen_report_fingerprint (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *json = omen_words_fingerprint_json (reporter, finding);
  char *text = omen_strdup (json_string_value (json));
  json_decref (json);
  return text;
}

/* For races and deadlocks, the order of the events does not matter. */
char *
omen_report_place (omen_reporter *reporter, const omen_finding *finding)
{
  bool any_order = finding->kind == OMEN_FINDING_RACE
                   || finding->kind == OMEN_FINDING_DEADLOCK;
  char part[OMEN_PART_NAME_MAX], *text;
  json_t *print = omen_words_pair_fingerprint_json (reporter, finding), *json;
  OMEN_VEC (const char *) lines = { 0 };
  omen_printed p;
  fputs (json_string_value (print), omen_printed_open (&p));
  if (finding->kind != OMEN_FINDING_DEADLOCK)
    fprintf (p.file, "; %s", omen_words_subject (reporter, finding, part));
  omen_reporter_events (reporter, finding);
  for (size_t i = 0; i < reporter->events.count; i++)
    OMEN_VEC_PUSH (
        lines, omen_trace_location (reporter->trace, reporter->events.data[i]));
  if (any_order && lines.count)
    qsort (lines.data, lines.count, sizeof *lines.data, by_text);
  for (size_t i = 0; i < lines.count; i++)
    fprintf (p.file, "; %s", lines.data[i]);
  OMEN_VEC_FINI (lines);
  json = omen_printed_close (&p);
  text = omen_strdup (json_string_value (json));
  json_decref (print);
  json_decref (json);
  return text;
}
