/* omen trace import FILE */
#include "cmd/cmd.h"
#include "base/print.h"
#include "cmd/options.h"
#include "driver/output.h"
#include "io/binary.h"
#include "io/csv.h"
#include "io/roadrunner.h"
#include "io/text_read.h"
#include "trace/repair.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char docs[]
    = "Convert a trace into the binary form.\v"
      "The binary form loads several times faster than text and takes a "
      "fraction of the space. It holds the same trace: every command says the "
      "same of both. FILE may also be a binary trace that was cut or damaged; "
      "what is usable of it is written.\n\n"
      "Without -o the result goes beside FILE, with .omen in place of what "
      "follows the last dot of its name, and no file is overwritten. It can be "
      "read by you alone, appears only when it is complete, and replaces an "
      "existing OUT.\n\n"
      "Forms: text (also the STD form of the RAPID tools), auto (text or "
      "binary, by content; the default), csv (the CSV form of the RAPID tools: "
      "a column per thread), roadrunner (the log that RoadRunner's tools P and "
      "PS print). What csv and roadrunner files hold beyond events is counted "
      "in warnings; re-entrant acquires are dropped.\n\n"
      "Logs of other tools are sometimes not quite a run: a thread that is "
      "forked twice or after its first event, a release of a lock that no "
      "thread holds. With --repair the least that makes it one is dropped, "
      "moved, renamed, added or changed, and standard error says how much, "
      "why, and what came first. An order or a lock that is lost with a "
      "dropped event may have kept others apart: what is found in such a trace "
      "need not be possible.";

static const struct argp_option options[] = {
  { "from", 'f', "FORM", 0, "The form of FILE (see below)" },
  { "compress", 'z', NULL, 0, "Smaller, and slower to load (LZ4)" },
  { "repair", 'r', NULL, 0,
    "Make a trace that no run can have left one that a run can have left" },
  { 0 },
};

/* What FILE can be. */
static const char *const forms[] = { "auto", "text", "csv", "roadrunner" };
static const omen_load_parser parsers[]
    = { NULL /* by content */, omen_text_parse, omen_csv_parse,
        omen_roadrunner_parse };

typedef struct request {
  const char *path, *output, *from;
  unsigned form;
  bool compress, repair;
} request;

#define SHARED(X) X (output, output)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT ('f', "--from", from),
        OMEN_FLAG ('z', compress),
        OMEN_FLAG ('r', repair),
        OMEN_TEXT (ARGP_KEY_ARG, "FILE", path),
        { 0 } };

static error_t
parse_import_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_END)
    return ARGP_ERR_UNKNOWN;
  if (!r->path)
    omen_cmd_error (state, "no file given");
  else if (!strcmp (r->path, "-") && !r->output)
    omen_cmd_error (state, "standard input has no name: say -o OUT");
  omen_option_word (state, "--from", r->from, forms, OMEN_COUNT (forms),
                    &r->form);
  return 0;
}

static const struct argp argp
    = { options, parse_import_option, "FILE", docs, children };

/* a/b.std -> a/b.omen; the caller frees it. */
static char *
name_beside (const char *path)
{
  const char *slash = strrchr (path, '/'), *dot = strrchr (path, '.');
  bool cut = dot && dot != path && (!slash || dot > slash + 1);
  size_t length = cut ? (size_t)(dot - path) : strlen (path);
  size_t size = length + sizeof ".omen";
  char *name = omen_alloc (size);
  snprintf (name, size, "%.*s.omen", (int)length, path);
  return name;
}

static bool
write_trace (const omen_trace *trace, const request *r, const char *path,
             omen_err *err)
{
  unsigned how = r->compress ? OMEN_BINARY_LZ4 : 0;
  omen_output output;
  if (!omen_output_open (&output, path, true, err))
    return false;
  if (!omen_binary_write_as (trace, how, output.file, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

/* ---- repairing ---- */

static const char *const deeds[] = { [OMEN_REPAIR_DROPPED] = "dropped",
                                     [OMEN_REPAIR_ADDED] = "added",
                                     [OMEN_REPAIR_MOVED] = "moved",
                                     [OMEN_REPAIR_CHANGED] = "changed",
                                     [OMEN_REPAIR_RENAMED] = "renamed" };
_Static_assert (OMEN_COUNT (deeds) == OMEN_REPAIRS, "a word a kind");

static const char *
things (omen_repair_kind kind)
{
  return kind == OMEN_REPAIR_RENAMED ? "thread" : "event";
}

static void
print_repairs (const omen_repairs *repairs)
{
  const char *comma = "";
  for (size_t i = 0; i < repairs->list.count; i++) {
    const omen_repair *one = &repairs->list.data[i];
    omen_print (stderr, "omen: %" PRIu64 " %s%s %s: %s; %s%s\n", one->count,
                things (one->kind), omen_s (one->count), deeds[one->kind],
                one->why, one->count > 1 ? "the first is " : "", one->first);
  }
  fputs ("omen: repaired: ", stderr);
  for (unsigned kind = 0; kind < OMEN_REPAIRS; kind++)
    if (repairs->counts[kind]) {
      omen_print (stderr, "%s%" PRIu64 " %s%s %s", comma, repairs->counts[kind],
                  things (kind), omen_s (repairs->counts[kind]), deeds[kind]);
      comma = ", ";
    }
  fputs (*comma ? "\n" : "nothing had to be done\n", stderr);
}

/* The trace, or NULL with the message printed. */
static omen_trace *
repaired (omen_trace *trace, int *code)
{
  omen_repairs repairs = { 0 };
  omen_err err = { 0 };
  trace = omen_trace_repair_take (trace, &repairs, &err);
  if (trace)
    print_repairs (&repairs);
  else
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
  omen_repairs_fini (&repairs);
  return trace;
}

static int
import (const request *r, const char *path)
{
  omen_load_options load = { .parser = parsers[r->form] };
  omen_err err = { 0 };
  omen_trace *trace;
  bool written;
  int code;
  if (!r->output && !access (path, F_OK)) {
    omen_err_io (&err, path, "exists already: say -o OUT");
    return omen_fail (OMEN_EXIT_USAGE, &err);
  }
  trace = omen_input_load (r->path, &load, &code);
  if (trace && r->repair)
    trace = repaired (trace, &code);
  if (!trace)
    return code;
  written = write_trace (trace, r, path, &err);
  omen_trace_free (trace);
  return written ? OMEN_EXIT_NOTHING : omen_fail (OMEN_EXIT_USAGE, &err);
}

static int
run_trace_import (int argc, char **argv)
{
  request r = { 0 };
  char *beside = NULL;
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  if (!r.output)
    beside = name_beside (r.path);
  code = import (&r, beside ? beside : r.output);
  omen_free (beside);
  return code;
}

const omen_cmd omen_cmd_trace_import
    = { "trace import", "convert a trace into the binary form",
        run_trace_import, &argp };
