/* omen trace export --to FORM TRACE */
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "trace/binary.h"
#include "trace/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char docs[]
    = "Convert a trace into another form.\v"
      "TRACE is a text trace or a recorded file, told apart by content; - is "
      "standard input. OUT, if given, appears only when it is complete.\n\n"
      "Forms: text (one event a line, can be read again), binary (as trace "
      "import writes it).";

static const struct argp_option options[] = {
  { "to", 't', "FORM", 0, "the form to write (see below)" },
  { "output", 'o', "OUT", 0, "where to write (default: standard output)" },
  { 0 },
};

/* What can be written. */
static const struct {
  const char *name;
  bool (*write) (const omen_trace *trace, FILE *out, omen_err *err);
  bool binary;
} forms[] = {
  { "text", omen_text_write, false },
  { "binary", omen_binary_write, true },
};

typedef struct request {
  const char *path, *output, *to;
} request;

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
  case ARGP_KEY_ARG:
    omen_cmd_once (state, "TRACE", &r->path, arg);
    return 0;
  case ARGP_KEY_END:
    if (!r->path)
      argp_error (state, "no trace given");
    else if (!r->to)
      argp_error (state, "--to is missing");
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
  if (!forms[form].write (trace, output.file, err))
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
  return written ? OMEN_EXIT_NOTHING : omen_cmd_fail (OMEN_EXIT_USAGE, &err);
}

const omen_cmd omen_cmd_trace_export
    = { "trace export", "convert a trace into another form", run, &argp };
