/* omen trace export --to FORM TRACE */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "driver/output.h"
#include "io/binary.h"
#include "io/perfetto_write.h"
#include "io/std_write.h"
#include "trace/text.h"
#include "witness/witness.h"

#include <stdio.h>
#include <string.h>

static char docs[]
    = "Convert a trace into another form.\v"
      "TRACE is a text trace or a recorded file, whatever its name; - is "
      "standard input. OUT, if given, appears only when it is complete.\n\n"
      "Forms: text (one event a line, can be read again), binary (as trace "
      "import writes it), std (for the RAPID tools), perfetto (for "
      "ui.perfetto.dev and about:tracing).\n\n"
      "std knows reads, writes, mutexes, fork, join and atomic blocks, and "
      "nothing else: no values, and numbers for locations. A trace with other "
      "events is refused, naming the first of them; with --lossy they are "
      "replaced by what comes nearest, or left out, and it is said how many.\n\n"
      "perfetto is JSON in which functions and held locks are slices and other "
      "events moments, a microsecond apart; with --schedule it is the order of "
      "a witness instead of the observed one.";

static const struct argp_option options[] = {
  { "to", 't', "FORM", 0, "The form to write (see below)" },
  { "lossy", 'l', NULL, 0, "std: replace or leave out what it cannot say" },
  { "schedule", 's', "WITNESS", 0, "perfetto: the order of this witness" },
  { 0 },
};

typedef struct request {
  const char *path, *output, *to, *schedule;
  unsigned form;
  bool lossy;
} request;

#define SHARED(X) X (output, output)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT ('t', "--to", to),
        OMEN_TEXT ('s', "--schedule", schedule),
        OMEN_FLAG ('l', lossy),
        OMEN_TEXT (ARGP_KEY_ARG, "TRACE", path),
        { 0 } };

static bool
write_text (const omen_trace *trace, const request *r, FILE *out, omen_err *err)
{
  return omen_text_write (trace, out, err);
}

static bool
write_binary (const omen_trace *trace, const request *r, FILE *out,
              omen_err *err)
{
  return omen_binary_write (trace, out, err);
}

static bool
write_std (const omen_trace *trace, const request *r, FILE *out, omen_err *err)
{
  omen_std_report report;
  omen_std_options std = { r->lossy, &report };
  char note[100];
  if (!omen_std_write (trace, out, &std, err))
    return false;
  for (unsigned i = 0; omen_std_note (&report, i, note, sizeof note); i++)
    omen_warn ("%s", note);
  return true;
}

static bool
write_perfetto (const omen_trace *trace, const request *r, FILE *out,
                omen_err *err)
{
  omen_witness witness;
  bool ok;
  if (!r->schedule)
    return omen_perfetto_write (trace, NULL, trace->events.count, out, err);
  omen_witness_init (&witness);
  ok = omen_witness_load (&witness, trace, r->schedule, err)
       && omen_perfetto_write (trace, witness.sequence.data,
                               witness.sequence.count, out, err);
  omen_witness_fini (&witness);
  return ok;
}

/* What can be written. */
static const char *const forms[] = { "text", "binary", "std", "perfetto" };
enum { BINARY = 1 };
static bool (*const writers[]) (const omen_trace *trace, const request *r,
                                FILE *out, omen_err *err)
    = { write_text, write_binary, write_std, write_perfetto };

static error_t
parse_export_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_END)
    return ARGP_ERR_UNKNOWN;
  if (!r->path)
    omen_cmd_error (state, "no trace given");
  else if (!r->to)
    omen_cmd_error (state, "--to is missing");
  else if (r->lossy && strcmp (r->to, "std"))
    omen_cmd_error (state, "--lossy goes with --to std only");
  else if (r->schedule && strcmp (r->to, "perfetto"))
    omen_cmd_error (state, "--schedule goes with --to perfetto only");
  omen_option_word (state, "--to", r->to, forms, OMEN_COUNT (forms), &r->form);
  return 0;
}

static const struct argp argp
    = { options, parse_export_option, "TRACE", docs, children };

static bool
write_trace (const omen_trace *trace, const request *r, omen_err *err)
{
  omen_output output;
  if (!omen_output_open (&output, r->output ? r->output : "-",
                         r->form == BINARY, err))
    return false;
  if (!writers[r->form](trace, r, output.file, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

static int
run_trace_export (int argc, char **argv)
{
  request r = { 0 };
  omen_err err = { 0 };
  omen_load_options all = { .rebuild.whole = true };
  omen_trace *trace;
  bool written;
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  trace = r.schedule ? omen_input_load_for (r.path, r.schedule, NULL, &code)
                     : omen_input_load (r.path, &all, &code);
  if (!trace)
    return code;
  written = write_trace (trace, &r, &err);
  omen_trace_free (trace);
  if (written)
    return OMEN_EXIT_NOTHING;
  return omen_fail (err.io ? OMEN_EXIT_USAGE : OMEN_EXIT_INPUT, &err);
}

const omen_cmd omen_cmd_trace_export
    = { "trace export", "convert a trace into another form", run_trace_export,
        &argp };
