#include "report/because.h"
#include "base/print.h"
#include "report/story.h"
#include "report/objects.h"
#include "report/pairs.h"
#include "report/sources.h"
#include "report/words.h"
#include "trace/text.h"

#include <string.h>

#define FRAMES_SHOWN 8u
#define LINES_AROUND 1u
#define EVENTS_SHOWN 4u /* first and last ones of what a monitor saw */

typedef struct writer {
  omen_reporter *reporter;
  const omen_finding *finding;
  const omen_story_style *style;
  FILE *out;
} writer;

/* Terminal colours; every coloured text ends with `plain`. */
static const char bold[] = "\033[1m", dim[] = "\033[2m", plain[] = "\033[0m";
static const char *const colours[OMEN_SEVERITIES]
    = { "\033[1;36m", "\033[1;33m", "\033[1;31m" };

static void
paint (const writer *t, const char *code)
{
  if (t->style->colour)
    fwrite (code, 1, strlen (code), t->out); /* omen_print would escape it */
}

static void
print_title (const writer *t, unsigned number)
{
  const omen_finding *finding = t->finding;
  omen_print (t->out, "[%u] ", number);
  paint (t, colours[omen_finding_severity (t->reporter->trace, finding)]);
  omen_words_severity (t->reporter->trace, finding, t->out);
  omen_words_headline (t->reporter, finding, t->out);
  paint (t, plain);
  if (omen_finding_instances (finding) > 1)
    omen_print (t->out, " (%u times)", omen_finding_instances (finding));
  omen_print (t->out, ", %s\n", omen_status_text (finding->status));
}

static void
print_source (const writer *t, const char *location)
{
  unsigned long line;
  omen_excerpt excerpt;
  omen_reporter_file (location, &line);
  if (!omen_excerpt_load (&excerpt, t->reporter->trace, t->style->source_paths,
                          location, LINES_AROUND))
    return;
  for (size_t i = 0; i < excerpt.count; i++) {
    bool hit = excerpt.first + i == line;
    paint (t, hit ? bold : dim);
    omen_print (t->out, "      %5lu %c ", excerpt.first + i, hit ? '>' : '|');
    omen_print_source (t->out, excerpt.lines[i].text, excerpt.lines[i].length);
    fputc ('\n', t->out);
    paint (t, plain);
  }
  omen_excerpt_fini (&excerpt);
}

/* Prints the frames of reporter->stack. */
static void
print_frames (const writer *t)
{
  const omen_trace *trace = t->reporter->trace;
  size_t count = t->reporter->stack.count;
  for (size_t i = 0; i < count && i < FRAMES_SHOWN; i++) {
    const omen_frame *frame = &t->reporter->stack.data[i];
    omen_print (t->out, "      #%zu %s", i,
                frame->function == OMEN_NONE
                    ? "?"
                    : omen_names_text (&trace->names[OMEN_OPERAND_FUNCTION],
                                       frame->function));
    if (frame->location != OMEN_NONE)
      omen_print (t->out, " %s",
                  omen_names_text (&trace->locations, frame->location));
    fputc ('\n', t->out);
  }
  if (count > FRAMES_SHOWN)
    omen_print (t->out, "      … %zu more\n", count - FRAMES_SHOWN);
}

/* Unverified findings are reported briefly. */
static bool
is_unverified (const omen_finding *finding)
{
  return finding->status == OMEN_STATUS_UNVERIFIED;
}

static void
print_objects (const writer *t)
{
  omen_reporter_objects (t->reporter, t->finding);
  for (size_t i = 0; i < t->reporter->objects.count; i++) {
    const omen_reported_object *object = &t->reporter->objects.data[i];
    omen_print (t->out, "    %s%s: ", object->is_lock ? "lock " : "",
                omen_object_name (t->reporter, object));
    omen_object_text (t->reporter, object, t->out);
    fputc ('\n', t->out);
    omen_object_stack (t->reporter, object);
    print_frames (t);
  }
}

static void
print_event (const writer *t, omen_eid e)
{
  const omen_trace *trace = t->reporter->trace;
  const omen_names *locks = &trace->names[OMEN_OPERAND_LOCK];
  const char *location = omen_trace_location (trace, e);
  char operation[256];
  omen_text_operation (trace, e, operation, sizeof operation);
  fputs ("    ", t->out);
  paint (t, bold);
  omen_print (
      t->out, "%s %s",
      omen_trace_thread_name (trace, omen_trace_event (trace, e)->thread),
      operation);
  paint (t, plain);
  omen_print (t->out, "%s%s", *location ? " at " : "", location);
  omen_reporter_locks (t->reporter, e);
  fputs (t->reporter->locks.count ? ", holding " : ", no locks held", t->out);
  for (size_t i = 0; i < t->reporter->locks.count; i++)
    omen_print (t->out, "%s%s", i ? ", " : "",
                omen_names_text (locks, t->reporter->locks.data[i]));
  fputc ('\n', t->out);
  if (is_unverified (t->finding))
    return;
  omen_because why = omen_because_of (trace, t->finding, e);
  if (why.kind) {
    fputs ("      ", t->out);
    omen_because_print (trace, &why, t->out);
    fputc ('\n', t->out);
  }
  omen_reporter_stack (t->reporter, e);
  print_frames (t);
  print_source (t, location);
}

static void
print_replay (const writer *t, unsigned number)
{
  fputs ("    replay: ", t->out);
  omen_words_replay (t->reporter->trace, t->style->witness_dir, number, t->out);
  fputc ('\n', t->out);
}

static void
print_end (const writer *t, unsigned number)
{
  const omen_trace *trace = t->reporter->trace;
  omen_pairs_text (t->reporter, t->finding, "    ", t->out);
  if (!is_unverified (t->finding)) {
    fputs ("    ", t->out);
    omen_words_schedule (t->reporter, t->finding, t->out);
    omen_words_outcome (trace, t->finding, t->out);
    fputc ('\n', t->out);
    if (omen_words_order (t->finding))
      omen_print (t->out, "    %s\n", omen_words_order (t->finding));
  }
  omen_words_said (t->finding, "    ", t->out);
  if (t->finding->note)
    omen_print (t->out, "    %s\n", t->finding->note);
  if (t->finding->outcome)
    omen_print (t->out, "    %s: %s\n", omen_status_text (t->finding->status),
                t->finding->outcome);
  if (t->style->witness_dir && trace->program != OMEN_NONE)
    print_replay (t, number);
  fputc ('\n', t->out);
}

void
omen_report_story (omen_reporter *reporter, const omen_finding *finding,
                   unsigned number, const omen_story_style *style, FILE *out)
{
  writer t = { reporter, finding, style, out };
  omen_ids events = { 0 };
  omen_reporter_events (reporter, finding);
  for (size_t i = 0; i < reporter->events.count; i++)
    OMEN_VEC_PUSH (events, reporter->events.data[i]);
  print_title (&t, number);
  for (size_t i = 0; i < events.count; i++) {
    if (i == EVENTS_SHOWN && events.count > 2 * EVENTS_SHOWN
        && finding->kind == OMEN_FINDING_PROPERTY) {
      omen_print (out, "    … (%zu event%s) …\n",
                  events.count - 2 * EVENTS_SHOWN,
                  omen_s (events.count - 2 * EVENTS_SHOWN));
      i = events.count - EVENTS_SHOWN;
    }
    print_event (&t, events.data[i]);
  }
  print_objects (&t);
  print_end (&t, number);
  OMEN_VEC_FINI (events);
}
