/* SARIF 2.1.0. A finding is a result; its witness is a code flow with a thread
   flow for each thread. A flow has the first and last event of each slice of
   the schedule, in `executionOrder`, and then the claimed events: enough to
   follow it in an editor. A finding with several instances has a flow for each.
   Of long schedules only the last RUNS_MAX slices are included. The call stack
   of each claimed event is a stack of the result. */
#include "report/because.h"
#include "base/print.h"
#include "report/finder.h"
#include "report/objects.h"
#include "report/pairs.h"
#include "report/words.h"
#include "trace/text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define RUNS_MAX 200u
#define FLOWS_MAX 20u
#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static json_t *
message (json_t *text)
{
  json_t *object = json_object ();
  json_object_set_new (object, "text", text);
  return object;
}

/* A rule for each kind of finding. */
static const struct {
  const char *id, *text;
} rules[] = {
  { "race", "Two accesses to the same memory, at least one a write, that "
            "nothing orders" },
  { "deadlock", "Threads that wait for each other's locks" },
  { "misuse", "A lock used against its rules" },
  { "nondet", "A read whose value depends on the schedule" },
  { "atomicity", "A block meant to be atomic that another thread can "
                 "interrupt" },
  { "property", "A property that another schedule breaks" },
  { "failure", "A run that died of a signal" },
  { "lifetime", "What a thread uses after another one has ended it" },
};

static json_t *
tool (void)
{
  json_t *list = json_array (), *driver = json_object ();
  json_t *object = json_object ();
  for (size_t i = 0; i < OMEN_COUNT (rules); i++) {
    json_t *rule = json_object ();
    json_object_set_new (rule, "id", json_string (rules[i].id));
    json_object_set_new (rule, "shortDescription",
                         message (json_string (rules[i].text)));
    json_array_append_new (list, rule);
  }
  json_object_set_new (driver, "name", json_string ("omen"));
  json_object_set_new (driver, "version", json_string (OMEN_VERSION));
  json_object_set_new (driver, "rules", list);
  json_object_set_new (object, "driver", driver);
  return object;
}

/* A path as a relative or file URI, percent-encoded. */
static json_t *
uri (const char *path, size_t length)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
                              "wxyz0123456789-._~/";
  omen_line line = { 0 };
  json_t *string;
  for (const char *at = length && path[0] == '/' ? "file://" : ""; *at; at++)
    OMEN_VEC_PUSH (line, *at);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)path[i];
    if (memchr (plain, c, sizeof plain - 1))
      OMEN_VEC_PUSH (line, (char)c);
    else {
      OMEN_VEC_PUSH (line, '%');
      OMEN_VEC_PUSH (line, "0123456789ABCDEF"[c >> 4]);
      OMEN_VEC_PUSH (line, "0123456789ABCDEF"[c & 15]);
    }
  }
  string = json_stringn (line.data ? line.data : "", line.count);
  OMEN_VEC_FINI (line);
  return string;
}

/* The context of a result. */
typedef struct writer {
  const omen_trace *trace;
  const omen_source_paths *paths;
  omen_reporter *reporter;
} writer;

/* A file that is found is given relative to the current directory if it is
   inside, else by its absolute path: code hosting sites understand both.
   Otherwise the compiler's name is given. */
static json_t *
file_uri (const writer *t, const char *name, size_t length)
{
  char path[OMEN_PATH_MAX], here[OMEN_PATH_MAX];
  size_t size;
  if (!omen_source_find (t->trace, t->paths, name, length, path))
    return uri (name, length);
  size = getcwd (here, sizeof here) ? strlen (here) : 0;
  if (size && !strncmp (path, here, size) && path[size] == '/')
    return uri (path + size + 1, strlen (path + size + 1));
  return uri (path, strlen (path));
}

static json_t *
operation_text (const omen_trace *trace, omen_eid e)
{
  char operation[256], text[512];
  const omen_event *event = omen_trace_event (trace, e);
  omen_text_operation (trace, e, operation, sizeof operation);
  snprintf (text, sizeof text, "%s: %s",
            omen_trace_thread_name (trace, event->thread), operation);
  return omen_words_text (text);
}

/* A location "f.c:12", with a message. */
static json_t *
location_at (const writer *t, const char *text, json_t *said)
{
  unsigned long line;
  size_t length = omen_reporter_file (text, &line);
  json_t *location = json_object ();
  json_object_set_new (location, "message", message (said));
  if (length && line) {
    json_t *artifact = json_object (), *region = json_object ();
    json_t *physical = json_object ();
    json_object_set_new (artifact, "uri", file_uri (t, text, length));
    json_object_set_new (region, "startLine", json_integer ((json_int_t)line));
    json_object_set_new (physical, "artifactLocation", artifact);
    json_object_set_new (physical, "region", region);
    json_object_set_new (location, "physicalLocation", physical);
  }
  return location;
}

static json_t *
location_of (const writer *t, omen_eid e)
{
  return location_at (t, omen_trace_location (t->trace, e),
                      operation_text (t->trace, e));
}

/* ---- code flows ---- */

typedef struct flows {
  const writer *writer;
  const omen_trace *trace;
  json_t **threads; /* by thread: its locations; NULL: none yet */
  json_int_t order;
} flows;

static void
add_step (flows *f, omen_eid e, bool essential)
{
  omen_tid t = omen_trace_event (f->trace, e)->thread;
  json_t *step = json_object ();
  OMEN_ASSERT (t < f->trace->threads.count);
  if (!f->threads[t])
    f->threads[t] = json_array ();
  json_object_set_new (step, "location", location_of (f->writer, e));
  json_object_set_new (step, "executionOrder", json_integer (f->order++));
  json_object_set_new (step, "importance",
                       json_string (essential ? "essential" : "important"));
  json_array_append_new (f->threads[t], step);
}

static void
add_runs (flows *f, const omen_finding *finding)
{
  const omen_witness *w = &finding->witness;
  omen_reporter *reporter = f->writer->reporter;
  omen_reporter_schedule (reporter, &w->sequence);
  size_t count = reporter->schedule.count;
  for (size_t i = count > RUNS_MAX ? count - RUNS_MAX : 0; i < count; i++) {
    const omen_stretch *run = &reporter->schedule.data[i];
    add_step (f, omen_trace_nth (f->trace, run->thread, run->first), false);
    if (run->end - run->first > 1)
      add_step (f, omen_trace_nth (f->trace, run->thread, run->end - 1), false);
  }
  for (size_t i = 0; i < w->claim.events.count; i++)
    if (w->claim.events.data[i] != OMEN_NONE)
      add_step (f, w->claim.events.data[i], true);
}

static json_t *
code_flow (const writer *t, const omen_finding *finding)
{
  const omen_trace *trace = t->trace;
  flows f = { t, trace, NULL, 0 };
  json_t *list = json_array (), *flow = json_object ();
  f.threads = omen_zalloc (trace->threads.count, sizeof *f.threads);
  add_runs (&f, finding);
  for (omen_tid id = 0; id < trace->threads.count; id++)
    if (f.threads[id]) {
      json_t *thread = json_object ();
      json_object_set_new (
          thread, "id", omen_words_text (omen_trace_thread_name (trace, id)));
      json_object_set_new (thread, "locations", f.threads[id]);
      json_array_append_new (list, thread);
    }
  omen_free (f.threads);
  json_object_set_new (flow, "threadFlows", list);
  return flow;
}

/* A code flow for each of the first FLOWS_MAX instances. */
static json_t *
code_flows (const writer *t, const omen_finding *finding)
{
  omen_reporter *reporter = t->reporter;
  json_t *all = json_array ();
  for (size_t k = 0; k < omen_finding_pairs (finding) && k < FLOWS_MAX; k++) {
    const omen_finding *pair = omen_finding_pair (finding, k);
    omen_reporter *own = omen_pair_reporter (reporter, pair);
    writer inner = { own->trace, t->paths, own };
    json_t *flow = code_flow (&inner, pair);
    if (finding->by_cause) {
      omen_printed p;
      char part[OMEN_PART_NAME_MAX];
      omen_printed_open (&p);
      if (pair->kind == OMEN_FINDING_ATOMICITY)
        omen_pair_headline (own, pair, p.file);
      else
        omen_print (p.file, "%s", omen_words_subject (own, pair, part));
      json_object_set_new (flow, "message", message (omen_printed_close (&p)));
    }
    json_array_append_new (all, flow);
    omen_pair_reporter_done (reporter, own);
  }
  return all;
}

/* ---- stacks ---- */

/* A stack frame: a function, and the line of its call of the frame before. */
static json_t *
frame_of (const writer *t, const omen_frame *frame)
{
  const omen_trace *trace = t->trace;
  const char *function
      = frame->function == OMEN_NONE
            ? "?"
            : omen_names_text (&trace->names[OMEN_OPERAND_FUNCTION],
                               frame->function);
  const char *where
      = frame->location == OMEN_NONE
            ? ""
            : omen_names_text (&trace->locations, frame->location);
  json_t *object = json_object (), *name = json_object ();
  json_t *location = location_at (t, where, omen_words_text (function));
  json_object_set_new (name, "fullyQualifiedName", omen_words_text (function));
  json_object_set_new (name, "kind", json_string ("function"));
  json_object_set_new (location, "logicalLocations", json_pack ("[o]", name));
  json_object_set_new (object, "location", location);
  return object;
}

/* "… 12 more" */
static json_t *
frames_left (size_t count)
{
  json_t *frame = json_object (), *location = json_object ();
  json_object_set_new (location, "message",
                       message (json_sprintf ("… %zu more", count)));
  json_object_set_new (frame, "location", location);
  return frame;
}

/* reporter->stack as a SARIF stack with this message. */
static json_t *
stack_of (const writer *t, json_t *said)
{
  omen_reporter *reporter = t->reporter;
  json_t *stack = json_object (), *frames = json_array ();
  size_t count = reporter->stack.count;
  for (size_t i = 0; i < count && i < OMEN_FRAMES_MAX; i++)
    json_array_append_new (frames, frame_of (t, &reporter->stack.data[i]));
  if (count > OMEN_FRAMES_MAX)
    json_array_append_new (frames, frames_left (count - OMEN_FRAMES_MAX));
  json_object_set_new (stack, "message", message (said));
  json_object_set_new (stack, "frames", frames);
  return stack;
}

/* ---- results ---- */

static bool
contains (const json_t *list, const json_t *value)
{
  const json_t *item;
  size_t i;
  json_array_foreach (list, i, item) if (json_equal (item, value)) return true;
  return false;
}

/* The locations of the finding's events [from, to), each once. */
static json_t *
locations_of (const writer *t, size_t from, size_t to)
{
  const omen_reporter *reporter = t->reporter;
  json_t *list = json_array ();
  for (size_t i = from; i < reporter->events.count && i < to; i++) {
    json_t *location = location_of (t, reporter->events.data[i]);
    if (contains (list, location))
      json_decref (location);
    else
      json_array_append_new (list, location);
  }
  return list;
}

/* Add reporter->stack to the list. If an equal stack is there, its message gets
   this one appended. */
static void
add_stack (const writer *t, json_t *list, json_t *said)
{
  json_t *stack = stack_of (t, said), *other;
  size_t i;
  json_array_foreach (list, i, other)
  {
    json_t *text = json_object_get (json_object_get (other, "message"), "text");
    if (!json_equal (json_object_get (other, "frames"),
                     json_object_get (stack, "frames")))
      continue;
    if (!strstr (json_string_value (text), json_string_value (said)))
      json_object_set_new (json_object_get (other, "message"), "text",
                           json_sprintf ("%s; %s", json_string_value (text),
                                         json_string_value (said)));
    json_decref (stack);
    return;
  }
  json_array_append_new (list, stack);
}

static json_t *
stacks_of (const writer *t)
{
  const omen_reporter *reporter = t->reporter;
  json_t *list = json_array ();
  for (size_t i = 0; i < reporter->events.count; i++) {
    omen_reporter_stack (t->reporter, reporter->events.data[i]);
    add_stack (t, list,
               operation_text (reporter->trace, reporter->events.data[i]));
  }
  return list;
}

/* Add where memory blocks and locks were allocated. */
static void
add_objects (const writer *t, const omen_finding *finding, json_t *result)
{
  omen_reporter *reporter = t->reporter;
  omen_reporter_objects (reporter, finding);
  for (size_t i = 0; i < reporter->objects.count; i++) {
    const omen_reported_object *object = &reporter->objects.data[i];
    const char *where = omen_object_location (reporter, object);
    omen_printed p;
    json_t *said;
    omen_print (omen_printed_open (&p),
                "%s: ", omen_object_name (reporter, object));
    omen_object_text (reporter, object, p.file);
    said = omen_printed_close (&p);
    json_array_append_new (json_object_get (result, "relatedLocations"),
                           location_at (t, where, json_incref (said)));
    omen_object_stack (reporter, object);
    add_stack (t, json_object_get (result, "stacks"), said);
  }
}

static json_t *
fingerprint (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *object = json_object ();
  json_object_set_new (object, "omenFinding/v1",
                       omen_words_fingerprint_json (reporter, finding));
  return object;
}

/* Of the events that a monitor saw, which may be many: the landing first, then
   the latest ones before it. */
#define SEEN_MOST 16u

static void
lead_with_landing (omen_ids *events)
{
  size_t count = events->count;
  size_t most = count < SEEN_MOST ? count : SEEN_MOST;
  omen_eid last;
  OMEN_REQUIRE (count);
  last = events->data[count - 1];
  memmove (events->data + 1, events->data + count - most,
           (most - 1) * sizeof *events->data);
  events->data[0] = last;
  events->count = most;
}

/* The headline; for deadlocks, why each thread waits ("deadlock: … T1 waits for
   a, which …"); for unverified findings the note. */
static json_t *
sentence (const omen_reporter *reporter, const omen_finding *finding)
{
  const omen_trace *trace = reporter->trace;
  omen_printed p;
  FILE *out = omen_printed_open (&p);
  omen_words_headline (reporter, finding, out);
  for (size_t i = 0; i < reporter->events.count; i++) {
    omen_eid e = reporter->events.data[i];
    omen_because why = omen_because_of (trace, finding, e);
    if (!why.kind)
      break;
    omen_print (
        out, "%s%s ", i ? "; " : ": ",
        omen_trace_thread_name (trace, omen_trace_event (trace, e)->thread));
    omen_because_print (trace, &why, out);
  }
  if (finding->status == OMEN_STATUS_UNVERIFIED && finding->note)
    omen_print (out, ", %s", finding->note);
  return omen_printed_close (&p);
}

static json_t *
result (const writer *t, const omen_finding *finding)
{
  omen_reporter *reporter = t->reporter;
  json_t *object = json_object (), *properties = json_object ();
  omen_reporter_events (reporter, finding);
  if (finding->kind == OMEN_FINDING_PROPERTY)
    lead_with_landing (&reporter->events);
  json_object_set_new (object, "ruleId",
                       json_string (omen_finding_kind_text (finding->kind)));
  json_object_set_new (
      object, "level",
      json_string (omen_severity_text (
          finding->status == OMEN_STATUS_UNVERIFIED
              ? OMEN_SEVERITY_NOTE
              : omen_finding_severity (reporter->trace, finding))));
  json_object_set_new (object, "message",
                       message (sentence (reporter, finding)));
  json_object_set_new (object, "locations", locations_of (t, 0, 1));
  json_object_set_new (object, "relatedLocations",
                       locations_of (t, 1, SIZE_MAX));
  json_object_set_new (object, "stacks", stacks_of (t));
  add_objects (t, finding, object);
  json_object_set_new (object, "codeFlows", code_flows (t, finding));
  json_object_set_new (object, "partialFingerprints",
                       fingerprint (reporter, finding));
  json_object_set_new (properties, "status",
                       json_string (omen_status_text (finding->status)));
  json_object_set_new (properties, "count",
                       json_integer (omen_finding_instances (finding)));
  if (finding->said)
    json_object_set_new (properties, "said", omen_words_text (finding->said));
  json_object_set_new (object, "properties", properties);
  return object;
}

static void
add_results (json_t *results, const omen_report_run *run,
             const omen_source_paths *paths)
{
  writer t = { run->trace, paths, omen_reporter_new (run->trace) };
  for (size_t i = 0; i < run->findings->count; i++)
    json_array_append_new (results, result (&t, &run->findings->data[i]));
  omen_reporter_free (t.reporter);
}

/* Marks an incomplete list of results as such. */
static json_t *
invocations (const omen_report *report)
{
  json_t *list = json_array (), *one = json_object ();
  json_object_set_new (one, "executionSuccessful",
                       json_boolean (!report->unfinished));
  json_array_append_new (list, one);
  return list;
}

bool
omen_report_sarif (const omen_report *report, FILE *out, omen_err *err)
{
  json_t *root = json_object (), *run = json_object ();
  json_t *runs = json_array (), *results = json_array ();
  for (size_t i = 0; i < report->count; i++)
    add_results (results, &report->runs[i], report->source_paths);
  json_object_set_new (run, "tool", tool ());
  json_object_set_new (run, "invocations", invocations (report));
  json_object_set_new (run, "columnKind", json_string ("unicodeCodePoints"));
  json_object_set_new (run, "results", results);
  json_array_append_new (runs, run);
  json_object_set_new (root, "$schema", json_string (SCHEMA));
  json_object_set_new (root, "version", json_string ("2.1.0"));
  json_object_set_new (root, "runs", runs);
  json_dumpf (root, out, JSON_INDENT (1) | JSON_ENSURE_ASCII);
  fputc ('\n', out);
  json_decref (root);
  return !ferror (out)
         || omen_err_io (err, "", "cannot write the report: %s",
                         strerror (errno));
}
