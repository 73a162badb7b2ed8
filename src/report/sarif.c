/* SARIF 2.1.0. A finding is a result; its witness is a code flow with a thread
   flow for each thread. A flow holds the first and last event of each run of
   the schedule, in `executionOrder`, and then the claimed events: enough to
   follow it in an editor; one that stands for several pairs of accesses has a
   flow for each. Of long schedules only the last RUNS_MAX runs. The
   stack of each claimed event is a stack of the result. */
#include "report/pairs.h"
#include "report/words.h"
#include "trace/text.h"

#include <string.h>

#define RUNS_MAX 200u
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

/* A path as a relative or file URI: what may not stand there is escaped. */
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

/* A location with a message, at "f.c:12". */
static json_t *
location_at (const char *text, json_t *said)
{
  unsigned long line;
  size_t length = omen_reporter_file (text, &line);
  json_t *location = json_object ();
  json_object_set_new (location, "message", message (said));
  if (length && line) {
    json_t *artifact = json_object (), *region = json_object ();
    json_t *physical = json_object ();
    json_object_set_new (artifact, "uri", uri (text, length));
    json_object_set_new (region, "startLine",
                         json_integer ((json_int_t)line));
    json_object_set_new (physical, "artifactLocation", artifact);
    json_object_set_new (physical, "region", region);
    json_object_set_new (location, "physicalLocation", physical);
  }
  return location;
}

static json_t *
location_of (const omen_trace *trace, omen_eid e)
{
  return location_at (omen_trace_location (trace, e),
                      operation_text (trace, e));
}

/* ---- code flows ---- */

typedef struct flows {
  const omen_trace *trace;
  json_t **threads; /* locations by thread; NULL: none yet */
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
  json_object_set_new (step, "location", location_of (f->trace, e));
  json_object_set_new (step, "executionOrder", json_integer (f->order++));
  json_object_set_new (step, "importance",
                       json_string (essential ? "essential" : "important"));
  json_array_append_new (f->threads[t], step);
}

static void
add_runs (flows *f, omen_reporter *reporter, const omen_finding *finding)
{
  const omen_witness *w = &finding->witness;
  omen_reporter_schedule (reporter, &w->sequence);
  size_t count = reporter->schedule.count;
  for (size_t i = count > RUNS_MAX ? count - RUNS_MAX : 0; i < count; i++) {
    const omen_stretch *run = &reporter->schedule.data[i];
    add_step (f, omen_trace_nth (f->trace, run->thread, run->first), false);
    if (run->end - run->first > 1)
      add_step (f, omen_trace_nth (f->trace, run->thread, run->end - 1),
                false);
  }
  for (size_t i = 0; i < w->claim.events.count; i++)
    if (w->claim.events.data[i] != OMEN_NONE)
      add_step (f, w->claim.events.data[i], true);
}

static json_t *
code_flow (omen_reporter *reporter, const omen_finding *finding)
{
  const omen_trace *trace = reporter->trace;
  flows f = { trace, NULL, 0 };
  json_t *list = json_array (), *flow = json_object ();
  f.threads = omen_zalloc (trace->threads.count, sizeof *f.threads);
  add_runs (&f, reporter, finding);
  for (omen_tid t = 0; t < trace->threads.count; t++)
    if (f.threads[t]) {
      json_t *thread = json_object ();
      json_object_set_new (thread, "id",
                           omen_words_text (omen_trace_thread_name (trace, t)));
      json_object_set_new (thread, "locations", f.threads[t]);
      json_array_append_new (list, thread);
    }
  omen_free (f.threads);
  json_object_set_new (flow, "threadFlows", list);
  return flow;
}

/* One for each pair that the finding stands for. */
static json_t *
code_flows (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *all = json_array ();
  for (size_t k = 0; k < omen_finding_pairs (finding); k++) {
    const omen_finding *pair = omen_finding_pair (finding, k);
    omen_reporter *own = omen_pair_reporter (reporter, pair);
    json_t *flow = code_flow (own, pair);
    if (finding->by_block) {
      omen_printed p;
      omen_pair_headline (own, pair, omen_printed_open (&p));
      json_object_set_new (flow, "message", message (omen_printed_close (&p)));
    }
    json_array_append_new (all, flow);
    omen_pair_reporter_done (reporter, own);
  }
  return all;
}

/* ---- stacks ---- */

/* A function, and the line of the call that leads to the frame before. */
static json_t *
frame_of (const omen_trace *trace, const omen_frame *frame)
{
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
  json_t *location = location_at (where, omen_words_text (function));
  json_object_set_new (name, "fullyQualifiedName", omen_words_text (function));
  json_object_set_new (name, "kind", json_string ("function"));
  json_object_set_new (location, "logicalLocations",
                       json_pack ("[o]", name));
  json_object_set_new (object, "location", location);
  return object;
}

static json_t *
stack_of (omen_reporter *reporter, omen_eid e)
{
  json_t *stack = json_object (), *frames = json_array ();
  omen_reporter_stack (reporter, e);
  for (size_t i = 0; i < reporter->stack.count; i++)
    json_array_append_new (
        frames, frame_of (reporter->trace, &reporter->stack.data[i]));
  json_object_set_new (stack, "message",
                       message (operation_text (reporter->trace, e)));
  json_object_set_new (stack, "frames", frames);
  return stack;
}

/* ---- results ---- */

static bool
contains (const json_t *list, const json_t *value)
{
  const json_t *item;
  size_t i;
  json_array_foreach (list, i, item)
    if (json_equal (item, value))
      return true;
  return false;
}

/* Of the events [from, to) of the finding, each location once. */
static json_t *
locations_of (const omen_reporter *reporter, size_t from, size_t to)
{
  json_t *list = json_array ();
  for (size_t i = from; i < reporter->events.count && i < to; i++) {
    json_t *location = location_of (reporter->trace, reporter->events.data[i]);
    if (contains (list, location))
      json_decref (location);
    else
      json_array_append_new (list, location);
  }
  return list;
}

/* The stacks of the events, each once. */
static json_t *
stacks_of (omen_reporter *reporter)
{
  json_t *list = json_array ();
  for (size_t i = 0; i < reporter->events.count; i++) {
    json_t *stack = stack_of (reporter, reporter->events.data[i]);
    if (contains (list, stack))
      json_decref (stack);
    else
      json_array_append_new (list, stack);
  }
  return list;
}

static json_t *
fingerprint (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *object = json_object ();
  json_object_set_new (object, "omenFinding/v1",
                       omen_words_fingerprint_json (reporter, finding));
  return object;
}

/* Of what a monitor saw, which may be much: where it lands comes first, then what
   led to it, the latest of them. */
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

static json_t *
result (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *object = json_object (), *properties = json_object ();
  omen_reporter_events (reporter, finding);
  if (finding->kind == OMEN_FINDING_PROPERTY)
    lead_with_landing (&reporter->events);
  json_object_set_new (object, "ruleId",
                       json_string (omen_finding_kind_text (finding->kind)));
  json_object_set_new (object, "level", json_string ("error"));
  json_object_set_new (object, "message",
                       message (omen_words_headline_json (reporter, finding)));
  json_object_set_new (object, "locations",
                       locations_of (reporter, 0, 1));
  json_object_set_new (object, "relatedLocations",
                       locations_of (reporter, 1, SIZE_MAX));
  json_object_set_new (object, "stacks", stacks_of (reporter));
  json_object_set_new (object, "codeFlows", code_flows (reporter, finding));
  json_object_set_new (object, "partialFingerprints",
                       fingerprint (reporter, finding));
  json_object_set_new (properties, "status",
                       json_string (omen_status_text (finding->status)));
  json_object_set_new (properties, "count",
                       json_integer (omen_finding_instances (finding)));
  json_object_set_new (object, "properties", properties);
  return object;
}

static void
add_results (json_t *results, const omen_report_run *run)
{
  omen_reporter *reporter = omen_reporter_new (run->trace);
  for (size_t i = 0; i < run->findings->count; i++)
    json_array_append_new (results,
                           result (reporter, &run->findings->data[i]));
  omen_reporter_free (reporter);
}

bool
omen_report_sarif (const omen_report *report, FILE *out, omen_err *err)
{
  json_t *root = json_object (), *run = json_object ();
  json_t *runs = json_array (), *results = json_array ();
  for (size_t i = 0; i < report->count; i++)
    add_results (results, &report->runs[i]);
  json_object_set_new (run, "tool", tool ());
  json_object_set_new (run, "columnKind", json_string ("unicodeCodePoints"));
  json_object_set_new (run, "results", results);
  json_array_append_new (runs, run);
  json_object_set_new (root, "$schema", json_string (SCHEMA));
  json_object_set_new (root, "version", json_string ("2.1.0"));
  json_object_set_new (root, "runs", runs);
  json_dumpf (root, out, JSON_INDENT (1));
  fputc ('\n', out);
  json_decref (root);
  return !ferror (out) || omen_err_io (err, "", "cannot write the report");
}
