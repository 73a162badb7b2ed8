/* What a finding has in common with itself in another run: no event numbers, no
   addresses, and lines only where no function is known. */
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

static int
by_text (const void *a, const void *b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

/* "w f.c withdraw", or "w f.c:12" where the function is not known. Functions of
   libraries, which many findings have in common, are not meant. */
static char *
event_print (const omen_trace *trace, omen_eid e)
{
  const char *location = omen_trace_location (trace, e);
  const char *function = omen_reporter_entered (trace, e);
  unsigned long line;
  size_t file = omen_reporter_file (location, &line);
  char *text = NULL;
  int length = asprintf (
      &text, "%s %.*s%s%s",
      omen_kind_text (omen_trace_event (trace, e)->kind),
      (int)(function ? file : strlen (location)), location,
      function ? " " : "", function ? function : "");
  OMEN_REQUIRE (length >= 0);
  return text;
}

/* Whichever pairs of accesses a run shows, the block is the same. */
static json_t *
block_fingerprint (const omen_trace *trace, const omen_finding *finding)
{
  omen_printed p;
  OMEN_REQUIRE (finding->blame.count);
  fprintf (omen_printed_open (&p), "atomicity of %s",
           omen_reporter_block (trace, finding->blame.data[0]));
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
  OMEN_ASSERT (reporter->events.count || finding->kind != OMEN_FINDING_PROPERTY);
  first = finding->kind == OMEN_FINDING_PROPERTY ? reporter->events.count - 1
                                                 : 0; /* where it lands */
  for (size_t i = first; i < reporter->events.count; i++)
    OMEN_VEC_PUSH (parts, event_print (reporter->trace,
                                       reporter->events.data[i]));
  if (parts.count)
    qsort (parts.data, parts.count, sizeof *parts.data, by_text);
  fputs (omen_finding_kind_text (finding->kind), out);
  if (finding->kind != OMEN_FINDING_DEADLOCK) /* any of its locks is first */
    fprintf (out, " %s", omen_reporter_subject (reporter, finding));
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

json_t *
omen_words_fingerprint_json (omen_reporter *reporter,
                             const omen_finding *finding)
{
  return finding->by_block
             ? block_fingerprint (reporter->trace, finding)
             : omen_words_pair_fingerprint_json (reporter, finding);
}

char *
omen_report_fingerprint (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *json = omen_words_fingerprint_json (reporter, finding);
  char *text = omen_strdup (json_string_value (json));
  json_decref (json);
  return text;
}
