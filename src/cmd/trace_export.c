/* omen trace export --to FORM TRACE */
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "trace/binary.h"
#include "trace/c_write.h"
#include "trace/perfetto_write.h"
#include "trace/std_write.h"
#include "trace/text.h"
#include "witness/witness.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char docs[]
    = "Convert a trace into another form.\v"
      "TRACE is a text trace or a recorded file, told apart by content; - is "
      "standard input. OUT, if given, appears only when it is complete.\n\n"
      "Forms: text (one event a line, can be read again), binary (as trace "
      "import writes it), std (for the RAPID tools), c (a program), perfetto (for "
      "ui.perfetto.dev and about:tracing).\n\n"
      "std knows reads, writes, mutexes, fork, join and atomic blocks, and "
      "nothing else: no values, and numbers for locations. A trace with other "
      "events is refused, naming the first of them; with --lossy they are "
      "replaced by what comes nearest, or left out, and it is said how "
      "many.\n\n"
      "c is a program with a thread for each thread and a statement for each "
      "event of the trace, to be compiled with cc -pthread (and -I for omen.h, "
      "if it is to be recorded). It does what the trace says, in that order, "
      "and ends with code 1 if a read sees something else; with --free it runs "
      "in any order. Locations that are file:line stay what they are. The "
      "trace must be well-formed.\n\n"
      "perfetto is JSON in which functions and held locks are slices and other "
      "events moments, a microsecond apart; with --schedule it is the order of "
      "a witness instead of the observed one.";

static const struct argp_option options[] = {
  { "to", 't', "FORM", 0, "the form to write (see below)" },
  { "output", 'o', "OUT", 0, "where to write (default: standard output)" },
  { "lossy", 'l', NULL, 0, "std: replace or leave out what it cannot say" },
  { "free", 'f', NULL, 0, "c: a program that runs in any order" },
  { "schedule", 's', "WITNESS", 0, "perfetto: the order of this witness" },
  { 0 },
};

typedef struct request {
  const char *path, *output, *to, *schedule;
  bool lossy, free;
} request;

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
    omen_cmd_warn ("%s", note);
  return true;
}

static bool
write_c (const omen_trace *trace, const request *r, FILE *out, omen_err *err)
{
  char warning[700] = "";
  omen_c_options c = { r->free, warning, sizeof warning };
  if (!omen_c_write (trace, out, &c, err))
    return false;
  if (warning[0])
    omen_cmd_warn ("%s", warning);
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
static const struct {
  const char *name;
  bool (*write) (const omen_trace *trace, const request *r, FILE *out,
                 omen_err *err);
  bool binary;
} forms[] = {
  { "text", write_text, false },
  { "binary", write_binary, true },
  { "std", write_std, false },
  { "c", write_c, false },
  { "perfetto", write_perfetto, false },
};

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  switch (key) {
  case 't':
    omen_cmd_once (state, "--to", &r->to, arg);
    return 0;
  case 'o':
    omen_cmd_once (state, "--output", &r->output, arg);
    return 0;
  case 's':
    omen_cmd_once (state, "--schedule", &r->schedule, arg);
    return 0;
  case 'l':
    r->lossy = true;
    return 0;
  case 'f':
    r->free = true;
    return 0;
  case ARGP_KEY_ARG:
    omen_cmd_once (state, "TRACE", &r->path, arg);
    return 0;
  case ARGP_KEY_END:
    if (!r->path)
      argp_error (state, "no trace given");
    else if (!r->to)
      argp_error (state, "--to is missing");
    else if (r->lossy && strcmp (r->to, "std"))
      argp_error (state, "--lossy goes with --to std only");
    else if (r->free && strcmp (r->to, "c"))
      argp_error (state, "--free goes with --to c only");
    else if (r->schedule && strcmp (r->to, "perfetto"))
      argp_error (state, "--schedule goes with --to perfetto only");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = { options, parse_option, "TRACE", docs };

static bool
find_form (const char *name, size_t *form, omen_err *err)
{
  char known[200] = "";
  for (*form = 0; *form < OMEN_COUNT (forms); ++*form) {
    if (!strcmp (forms[*form].name, name))
      return true;
    snprintf (known + strlen (known), sizeof known - strlen (known), "%s%s",
              *form ? ", " : "", forms[*form].name);
  }
  return omen_err_io (err, "--to", "'%s' is none of %s", name, known);
}

static bool
write_trace (const omen_trace *trace, const request *r, size_t form,
             omen_err *err)
{
  omen_output output;
  if (!omen_output_open (&output, r->output ? r->output : "-",
                         forms[form].binary, err))
    return false;
  if (!forms[form].write (trace, r, output.file, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

static int
run (int argc, char **argv)
{
  request r = { 0 };
  omen_err err = { 0 };
  omen_trace *trace;
  size_t form;
  bool written;
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  if (!find_form (r.to, &form, &err))
    return omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  trace = omen_cmd_load (r.path, &code);
  if (!trace)
    return code;
  written = write_trace (trace, &r, form, &err);
  omen_trace_free (trace);
  if (written)
    return OMEN_EXIT_NOTHING;
  return omen_cmd_fail (err.io ? OMEN_EXIT_USAGE : OMEN_EXIT_INPUT, &err);
}

const omen_cmd omen_cmd_trace_export
    = { "trace export", "convert a trace into another form", run, &argp };
