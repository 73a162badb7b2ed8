/* omen trace stat TRACE… */
#include "cmd/cmd.h"
#include "base/print.h"
#include "cmd/options.h"
#include "report/words.h"
#include "trace/wellformed.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char docs[]
    = "What is in a trace: events by kind, threads, locks, variables.\v"
      "TRACE is a text trace or a recorded file, whatever its name; - is "
      "standard input. The trace is checked: one that no run can have produced "
      "(a release without acquire, an event before the fork of its thread, a "
      "read of a value that was never written) is refused, with the first "
      "event that breaks a rule.\n\n"
      "A variable is a memory block: a name that is allocated again counts "
      "again. Shared variables are those that two threads or more access. "
      "Locks, conditions and the rest are counted by name.\n\n"
      "Of a recording it also says how many records the threads wrote; how "
      "many accesses are left out because forks, joins and barriers order all "
      "uses of the memory (settled), because only one thread uses it "
      "(private), or because it is stack memory beside variables; how many "
      "reads saw what only code that was not recorded can have written "
      "(written outside); how many reads were ordered by their value; how many "
      "loads have no value; how many reads saw a value that nothing in the "
      "file explains; and how many threads end before their records do, which "
      "only happens if a part of the file is lost. Reads without a value are "
      "listed by line, those that have most of them first.\n\n"
      "The identity is a number that depends on every event and not on the "
      "form of the file: a witness names its trace by it.";

typedef struct request {
  bool json;
  char **traces;
  int count;
} request;

#define SHARED(X) X (format, json)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[] = { SHARED (OMEN_INPUT){ 0 } };

static error_t
parse_stat_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  switch (key) {
  case ARGP_KEY_ARGS:
    r->traces = state->argv + state->next;
    r->count = state->argc - state->next;
    return 0;
  case ARGP_KEY_NO_ARGS:
    omen_cmd_error (state, "no trace given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp
    = { NULL, parse_stat_option, "TRACE...", docs, children };

/* Everything that is counted: name, and expression over `t`. Text output always
   shows the first five, others if not 0. */
#define COUNTS(X)                                                              \
  X ("events", t->events.count)                                                \
  X ("threads", t->threads.count)                                              \
  X ("locks", t->names[OMEN_OPERAND_LOCK].count)                               \
  X ("variables", t->names[OMEN_OPERAND_VARIABLE].count)                       \
  X ("shared variables", shared_variables (t))                                 \
  X ("byte ranges", byte_ranges (t))                                           \
  X ("initial values", t->inits.count)                                         \
  X ("conditions", t->names[OMEN_OPERAND_CONDITION].count)                     \
  X ("semaphores", t->names[OMEN_OPERAND_SEMAPHORE].count)                     \
  X ("barriers", t->names[OMEN_OPERAND_BARRIER].count)                         \
  X ("objects", t->names[OMEN_OPERAND_OBJECT].count)                           \
  X ("blocks", t->names[OMEN_OPERAND_BLOCK].count)                             \
  X ("functions", t->names[OMEN_OPERAND_FUNCTION].count)                       \
  X ("property events", t->names[OMEN_OPERAND_SIGNAL].count)                   \
  X ("locations", t->locations.count)                                          \
  X ("dependences", t->dependences.count)                                      \
  X ("notes before", t->rebuilt.before)                                        \
  X ("recorded items", t->rebuilt.items)                                       \
  X ("settled accesses", t->rebuilt.settled)                                   \
  X ("private accesses", t->rebuilt.private)                                   \
  X ("written outside", t->rebuilt.outside)                                    \
  X ("placed by value", t->rebuilt.late)                                       \
  X ("unknown loads", t->rebuilt.unknown)                                      \
  X ("unexplained reads", t->rebuilt.unexplained)                              \
  X ("beside variables", t->rebuilt.nobodys)                                   \
  X ("odd operations", t->rebuilt.odd)                                         \
  X ("ended threads", t->rebuilt.ended)                                        \
  X ("unused notes", t->rebuilt.unused)

/* Variables accessed by at least two threads; alloc and external writes do not
   count. */
static size_t
shared_variables (const omen_trace *trace)
{
  size_t variables = trace->names[OMEN_OPERAND_VARIABLE].count, shared = 0;
  uint32_t *user = omen_alloc (variables * sizeof *user);
  bool *counted = omen_zalloc (variables, sizeof *counted);
  memset (user, 0xff, variables * sizeof *user);
  for (size_t e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    omen_vid v;
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS
        || event->kind == OMEN_ALLOC || event->kind == OMEN_EXTERNAL)
      continue;
    v = trace->places.data[event->object].variable;
    if (user[v] == OMEN_NONE)
      user[v] = event->thread;
    else if (user[v] != event->thread && !counted[v]) {
      counted[v] = true;
      shared++;
    }
  }
  omen_free (user);
  omen_free (counted);
  return shared;
}

static size_t
byte_ranges (const omen_trace *trace)
{
  size_t count = 0;
  for (size_t p = 0; p < trace->places.count; p++)
    count += trace->places.data[p].size != OMEN_WHOLE;
  return count;
}

/* ---- reads without a value ---- */

enum { MOST_LINES = 10 };

typedef struct line_count {
  const char *location;
  size_t reads;
} line_count;

typedef OMEN_VEC (line_count) line_counts;

static int
most_first (const void *a, const void *b)
{
  const line_count *x = a, *y = b;
  return x->reads != y->reads ? (x->reads < y->reads) - (x->reads > y->reads)
                              : strcmp (x->location, y->location);
}

/* Of a recording, in which every other scalar has one. */
static void
count_without (const omen_trace *trace, line_counts *lines)
{
  omen_names seen;
  omen_names_init (&seen);
  for (omen_eid e = 0; trace->rebuilt.items && e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    const char *location;
    uint32_t line;
    if (event->kind != OMEN_READ || event->value_kind != OMEN_VALUE_NONE
        || trace->places.data[event->object].size > 8)
      continue;
    location = omen_trace_location (trace, e);
    line = omen_names_id (&seen, location, strlen (location));
    if (line == lines->count)
      OMEN_VEC_PUSH (*lines, ((line_count){ location, 0 }));
    lines->data[line].reads++;
  }
  omen_names_fini (&seen);
  OMEN_VEC_SORT (*lines, most_first);
}

static void
print_without (const omen_trace *trace)
{
  line_counts lines = { 0 };
  size_t reads = 0;
  count_without (trace, &lines);
  for (size_t i = 0; i < lines.count; i++)
    reads += lines.data[i].reads;
  if (reads)
    omen_print (stdout, "  %-18s %12zu\n", "without value", reads);
  for (size_t i = 0; i < lines.count && i < MOST_LINES; i++)
    omen_print (stdout, "    %-16zu %s\n", lines.data[i].reads,
                lines.data[i].location);
  if (lines.count > MOST_LINES)
    omen_print (stdout, "    and %zu lines more\n", lines.count - MOST_LINES);
  OMEN_VEC_FINI (lines);
}

static json_t *
without_as_json (const omen_trace *trace)
{
  line_counts lines = { 0 };
  json_t *array = json_array ();
  count_without (trace, &lines);
  for (size_t i = 0; i < lines.count; i++)
    json_array_append_new (
        array, json_pack ("{s:o, s:I}", "location",
                          omen_words_text (lines.data[i].location), "reads",
                          (json_int_t)lines.data[i].reads));
  OMEN_VEC_FINI (lines);
  return array;
}

static void
count_kinds (const omen_trace *trace, size_t kinds[OMEN_KINDS])
{
  memset (kinds, 0, OMEN_KINDS * sizeof *kinds);
  for (size_t e = 0; e < trace->events.count; e++)
    kinds[trace->events.data[e].kind]++;
}

/* Bytes of the file; -1 for a pipe. */
static intmax_t
file_size (const char *path)
{
  struct stat info;
  if (strcmp (path, "-") ? stat (path, &info) : fstat (STDIN_FILENO, &info))
    return -1;
  return S_ISREG (info.st_mode) ? (intmax_t)info.st_size : -1;
}

static void
print_count (bool always, const char *name, size_t count)
{
  if (always || count)
    omen_print (stdout, "  %-18s %12zu\n", name, count);
}

static void
print_text (const char *path, const omen_trace *t)
{
  size_t kinds[OMEN_KINDS];
  int shown = 0;
  intmax_t size = file_size (path);
  omen_print (stdout, "%s\n", path);
#define PRINT(name, count) print_count (shown++ < 5, name, count);
  COUNTS (PRINT)
#undef PRINT
  if (size >= 0)
    omen_print (stdout, "  %-18s %12" PRIdMAX "\n", "bytes", size);
  omen_print (stdout, "  %-18s %016" PRIx64 "\n", "identity",
              omen_trace_identity (t));
  if (t->flags & OMEN_TRACE_PARTIAL)
    puts ("  part of a run");
  count_kinds (t, kinds);
  for (int kind = 0; kind < OMEN_KINDS; kind++)
    if (kinds[kind])
      omen_print (stdout, "    %-16s %12zu\n", omen_kind_text (kind),
                  kinds[kind]);
  print_without (t);
}

/* "shared variables" -> "shared_variables" */
static void
set_count (json_t *object, const char *name, size_t count)
{
  char key[32];
  size_t i = 0;
  for (; name[i] && i + 1 < sizeof key; i++)
    key[i] = name[i] == ' ' ? '_' : name[i];
  key[i] = 0;
  json_object_set_new (object, key, json_integer ((json_int_t)count));
}

static json_t *
as_json (const char *path, const omen_trace *t)
{
  json_t *object = json_object (), *by_kind = json_object ();
  size_t kinds[OMEN_KINDS];
  intmax_t size = file_size (path);
  char identity[32];
  snprintf (identity, sizeof identity, "%016" PRIx64, omen_trace_identity (t));
  json_object_set_new (object, "trace", omen_words_text (path));
  json_object_set_new (object, "identity", json_string (identity));
#define SET(name, count) set_count (object, name, count);
  COUNTS (SET)
#undef SET
  json_object_set_new (object, "bytes",
                       size < 0 ? json_null () : json_integer (size));
  json_object_set_new (object, "partial",
                       json_boolean (t->flags & OMEN_TRACE_PARTIAL));
  count_kinds (t, kinds);
  for (int kind = 0; kind < OMEN_KINDS; kind++)
    if (kinds[kind])
      set_count (by_kind, omen_kind_text (kind), kinds[kind]);
  json_object_set_new (object, "kinds", by_kind);
  json_object_set_new (object, "without_value", without_as_json (t));
  return object;
}

/* NULL, with the message printed, if it cannot be read or is not
   well-formed. */
static omen_trace *
load_checked (const char *path, int *code)
{
  omen_base_order base;
  omen_err err = { 0 };
  omen_trace *trace = omen_input_load (path, NULL, code);
  if (!trace)
    return NULL;
  if (!omen_wellformed (trace, &base, &err)) {
    *code = omen_input_refused (&err);
    omen_trace_free (trace);
    return NULL;
  }
  if (base.warning[0])
    omen_warn ("%s", base.warning);
  omen_base_order_fini (&base);
  return trace;
}

/* Stops at the first trace that cannot be loaded; those before it are shown. */
static int
run_trace_stat (int argc, char **argv)
{
  request r = { 0 };
  json_t *all = NULL;
  int code = 0;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  if (r.json)
    all = json_array ();
  for (int i = 0; !code && i < r.count; i++) {
    omen_trace *trace = load_checked (r.traces[i], &code);
    if (trace && all)
      json_array_append_new (all, as_json (r.traces[i], trace));
    else if (trace)
      print_text (r.traces[i], trace);
    omen_trace_free (trace);
  }
  if (all && !code) {
    json_t *root = json_pack ("{s:o}", "traces", all);
    json_dumpf (root, stdout, JSON_INDENT (1) | JSON_ENSURE_ASCII);
    putchar ('\n');
    json_decref (root);
  } else
    json_decref (all);
  return omen_finish (code);
}

const omen_cmd omen_cmd_trace_stat
    = { "trace stat", "what is in a trace", run_trace_stat, &argp };
