/* omen trace import FILE */
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "trace/binary.h"
#include "trace/csv.h"
#include "trace/roadrunner.h"
#include "trace/text.h"

#include <errno.h>
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
      "in warnings; re-entrant acquires are dropped.";

static const struct argp_option options[] = {
  { "output", 'o', "OUT", 0, "where to write; - is standard output" },
  { "from", 'f', "FORM", 0, "the form of FILE (see below)" },
  { "compress", 'z', NULL, 0, "smaller, and slower to load (LZ4)" },
  { 0 },
};

/* What FILE can be. */
static const struct {
  const char *name;
  omen_trace_parser parser; /* NULL: by content */
} forms[] = {
  { "auto", NULL },
  { "text", omen_text_parse },
  { "csv", omen_csv_parse },
  { "roadrunner", omen_roadrunner_parse },
};

typedef struct request {
  const char *path, *output, *from;
  bool compress;
} request;

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  switch (key) {
  case 'o':
    omen_cmd_once (state, "--output", &r->output, arg);
    return 0;
  case 'f':
    omen_cmd_once (state, "--from", &r->from, arg);
    return 0;
  case 'z':
    r->compress = true;
    return 0;
  case ARGP_KEY_ARG:
    omen_cmd_once (state, "FILE", &r->path, arg);
    return 0;
  case ARGP_KEY_END:
    if (!r->path)
      argp_error (state, "no file given");
    else if (!strcmp (r->path, "-") && !r->output)
      argp_error (state, "standard input has no name: say -o OUT");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = { options, parse_option, "FILE", docs };

static bool
find_form (const char *name, omen_trace_parser *parser, omen_err *err)
{
  char known[200] = "";
  *parser = NULL;
  for (size_t i = 0; i < OMEN_COUNT (forms); i++) {
    if (!name || !strcmp (forms[i].name, name)) {
      *parser = forms[i].parser;
      return true;
    }
    snprintf (known + strlen (known), sizeof known - strlen (known), "%s%s",
              i ? ", " : "", forms[i].name);
  }
  return omen_err_io (err, "--from", "'%s' is none of %s", name, known);
}

/* a/b.std -> a/b.omen; the caller frees it. */
static char *
name_beside (const char *path)
{
  const char *slash = strrchr (path, '/'), *dot = strrchr (path, '.');
  bool cut = dot && dot != path && (!slash || dot > slash + 1);
  size_t length = cut ? (size_t)(dot - path) : strlen (path);
  char *name = omen_alloc (length + sizeof ".omen");
  memcpy (name, path, length);
  strcpy (name + length, ".omen");
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

static int
import (const request *r, const char *path, omen_trace_parser parser)
{
  omen_err err = { 0 };
  omen_trace *trace;
  bool written;
  int code;
  if (!r->output && !access (path, F_OK)) {
    omen_err_io (&err, path, "exists already: say -o OUT");
    return omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  }
  trace = omen_cmd_load_as (r->path, parser, &code);
  if (!trace)
    return code;
  written = write_trace (trace, r, path, &err);
  omen_trace_free (trace);
  return written ? OMEN_EXIT_NOTHING : omen_cmd_fail (OMEN_EXIT_USAGE, &err);
}

static int
run (int argc, char **argv)
{
  request r = { 0 };
  omen_err err = { 0 };
  omen_trace_parser parser;
  char *beside = NULL;
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  if (!find_form (r.from, &parser, &err))
    return omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  if (!r.output)
    beside = name_beside (r.path);
  code = import (&r, beside ? beside : r.output, parser);
  omen_free (beside);
  return code;
}

const omen_cmd omen_cmd_trace_import
    = { "trace import", "convert a trace into the binary form", run, &argp };
