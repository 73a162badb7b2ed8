#include "driver/certainty.h"
#include "base/print.h"
#include "trace/maybe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
omen_certainty_init (omen_certainty *certainty, const omen_trace *trace)
{
  *certainty = (omen_certainty){ .trace = trace };
  omen_names_init (&certainty->certain);
}

void
omen_certainty_fini (omen_certainty *certainty)
{
  omen_names_fini (&certainty->certain);
  omen_trace_loosen_end (&certainty->loose);
}

bool
omen_certainty_any (const omen_certainty *certainty)
{
  return omen_trace_has_maybe (certainty->trace);
}

const omen_trace *
omen_certainty_loosen (omen_certainty *certainty)
{
  OMEN_REQUIRE (!certainty->loose.events.data);
  omen_trace_loosen (&certainty->loose, certainty->trace);
  return &certainty->loose;
}

/* ---- which finding it is ---- */

/* The key of a finding in `certain`: its fingerprint and its lines, since a
   function may have several findings of a kind. For a block without lines: it
   is enough that some pair of accesses breaks it for certain. */
static char *
key_of (const omen_certainty *certainty, omen_reporter *reporter,
        const omen_finding *finding)
{
  omen_finding whole = *finding;
  const omen_ids *events = &finding->witness.claim.events;
  omen_ids lines = { 0 };
  char *print, *key;
  size_t size, length;
  whole.by_cause
      = finding->kind == OMEN_FINDING_ATOMICITY && finding->blame.count;
  print = omen_report_fingerprint (reporter, &whole);
  for (size_t i = 0; !whole.by_cause && i < events->count; i++)
    if (events->data[i] != OMEN_NONE)
      OMEN_VEC_PUSH (
          lines,
          omen_trace_event (certainty->trace, events->data[i])->location);
  OMEN_VEC_SORT (lines, omen_compare_u32);
  length = strlen (print);
  size = length + 12 * lines.count + 1;
  key = omen_alloc (size);
  memcpy (key, print, length + 1);
  for (size_t i = 0; i < lines.count; i++)
    length
        += (size_t)snprintf (key + length, size - length, " %u", lines.data[i]);
  omen_free (print);
  OMEN_VEC_FINI (lines);
  return key;
}

/* ---- which libraries ---- */

/* By object: does the sequence have an ha(o,maybe) without some hb(o,maybe)
   that precedes it in the trace? */
static bool *
find_broken (const omen_trace *trace, const omen_ids *sequence)
{
  size_t objects = trace->names[OMEN_OPERAND_OBJECT].count;
  bool *broken = omen_zalloc (objects + 1, sizeof *broken);
  uint32_t *place = omen_alloc ((trace->events.count + 1) * sizeof *place);
  uint32_t *missing = omen_alloc ((objects + 1) * sizeof *missing);
  for (size_t e = 0; e < trace->events.count; e++)
    place[e] = OMEN_NONE;
  for (size_t i = 0; i < sequence->count; i++)
    place[sequence->data[i]] = (uint32_t)i;
  memset (missing, 0, (objects + 1) * sizeof *missing);
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    if (!(event->mode & OMEN_MODE_MAYBE))
      continue;
    if (event->kind == OMEN_HAPPENS_BEFORE) { /* the latest hb so far */
      if (missing[event->object] < place[e])
        missing[event->object] = place[e];
    } else if (place[e] != OMEN_NONE && missing[event->object] > place[e])
      broken[event->object] = true;
  }
  omen_free (place);
  omen_free (missing);
  return broken;
}

/* "liba.so, libb.so": the libraries that may be the reason; all of the trace's
   if none stands out. */
static char *
libraries_of (const omen_trace *trace, const omen_witness *witness)
{
  const omen_names *names = &trace->names[OMEN_OPERAND_OBJECT];
  bool *broken = find_broken (trace, &witness->sequence), any = false;
  char *text = NULL;
  size_t size, count = 0;
  FILE *out = open_memstream (&text, &size);
  OMEN_REQUIRE (out);
  for (uint32_t o = 0; o < names->count; o++)
    any |= broken[o];
  for (size_t e = 0; !any && e < trace->events.count; e++)
    if (trace->events.data[e].mode & OMEN_MODE_MAYBE)
      broken[trace->events.data[e].object] = true;
  for (uint32_t o = 0; o < names->count; o++)
    if (broken[o])
      omen_print (out, "%s%s", count++ ? ", " : "", omen_names_text (names, o));
  fclose (out);
  omen_free (broken);
  return text;
}

static void
add_note (omen_finding *finding, const char *what)
{
  char *note;
  int length = asprintf (&note, "%s%s%s", finding->note ? finding->note : "",
                         finding->note ? "; " : "", what);
  OMEN_REQUIRE (length >= 0);
  omen_free (finding->note);
  finding->note = omen_strdup (note);
  free (note);
}

/* ---- reads that nothing explains ---- */

/* Does the witness continue after an unexplained read
   (recording/merge/order.h)? */
static bool
is_after_cut (const omen_trace *trace, const omen_witness *witness)
{
  uint32_t cuts = omen_names_find (&trace->names[OMEN_OPERAND_OBJECT],
                                   OMEN_UNEXPLAINED_OBJECT,
                                   strlen (OMEN_UNEXPLAINED_OBJECT));
  for (size_t i = 0; cuts != OMEN_NONE && i < witness->sequence.count; i++) {
    const omen_event *event
        = omen_trace_event (trace, witness->sequence.data[i]);
    if (event->kind == OMEN_HAPPENS_AFTER && event->object == cuts)
      return true;
  }
  return false;
}

static void
judge_cut (const omen_trace *trace, omen_finding *finding)
{
  if (finding->status != OMEN_STATUS_VERIFIED
      || !is_after_cut (trace, &finding->witness))
    return;
  finding->status = OMEN_STATUS_UNVERIFIED;
  add_note (finding, "it comes after a read that nothing in the recording "
                     "explains");
}

bool
omen_certainty_judge (omen_certainty *certainty, omen_reporter *reporter,
                      omen_finding *finding)
{
  char *key = key_of (certainty, reporter, finding);
  uint32_t known = omen_names_find (&certainty->certain, key, strlen (key));
  bool loosely = certainty->loose.events.data;
  if (!loosely)
    omen_names_id (&certainty->certain, key, strlen (key));
  omen_free (key);
  if (!loosely) {
    judge_cut (certainty->trace, finding);
    return true;
  }
  if (known != OMEN_NONE)
    return false;
  char *libraries = libraries_of (certainty->trace, &finding->witness), *note;
  int length = asprintf (&note,
                         "only if %s, not compiled by omen cc, does not "
                         "synchronise here; compile it so to know",
                         libraries);
  OMEN_REQUIRE (length >= 0);
  add_note (finding, note);
  finding->status = OMEN_STATUS_UNVERIFIED;
  free (note);
  free (libraries);
  return true;
}
