#include "cmd/cmd.h"
#include "trace/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool
omen_cmd_group (const char *name)
{
  size_t length = strlen (name);
  for (size_t i = 0; i < omen_commands_count; i++)
    if (!strncmp (omen_commands[i]->name, name, length)
        && omen_commands[i]->name[length] == ' ')
      return true;
  return false;
}

int
omen_cmd_fail (int code, const omen_err *err)
{
  fflush (stdout);
  fprintf (stderr, "omen: %s%s%s\n", err->where, err->where[0] ? ": " : "",
           err->what);
  return code == OMEN_EXIT_INPUT && err->io ? OMEN_EXIT_USAGE : code;
}

bool
omen_cmd_has_beginning (const omen_trace *trace, int *code)
{
  omen_err err = { 0 };
  if (!trace->rebuilt.before)
    return true;
  omen_err_set (&err, omen_names_text (&trace->strings, trace->path),
                "its beginning was overwritten (--ring): what properties would "
                "have seen there is not known");
  *code = omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  return false;
}

omen_trace *
omen_cmd_load (const char *path, int *code)
{
  return omen_cmd_load_as (path, NULL, code);
}

omen_trace *
omen_cmd_load_as (const char *path, omen_trace_parser parser, int *code)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_trace_load_as (path, parser, &err);
  if (!trace) {
    *code = omen_cmd_fail (OMEN_EXIT_INPUT, &err);
    return NULL;
  }
  for (size_t i = 0; i < trace->warnings.count; i++)
    omen_cmd_warn ("%s", omen_names_text (&trace->strings,
                                          trace->warnings.data[i]));
  return trace;
}

bool
omen_cmd_parse (const struct argp *argp, int argc, char **argv, void *input,
                int *code)
{
  error_t error = argp_parse (argp, argc, argv, 0, NULL, input);
  *code = error ? OMEN_EXIT_USAGE : 0;
  return !error;
}

bool
omen_cmd_parse_program (const struct argp *argp, int argc, char **argv,
                        void *input, int *code)
{
  error_t error = argp_parse (argp, argc, argv, ARGP_IN_ORDER, NULL, input);
  *code = error ? OMEN_EXIT_USAGE : 0;
  return !error;
}

void
omen_cmd_warn (const char *format, ...)
{
  va_list args;
  fflush (stdout);
  fputs ("omen: warning: ", stderr);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
}

int
omen_cmd_finish (int code)
{
  if (!fflush (stdout) && !ferror (stdout))
    return code;
  fprintf (stderr, "omen: cannot write the output: %s\n", strerror (errno));
  return OMEN_EXIT_USAGE;
}

bool
omen_cmd_once (struct argp_state *state, const char *option, const char **slot,
               const char *arg)
{
  if (*slot) {
    argp_error (state, "%s given twice", option);
    return false;
  }
  *slot = arg;
  return true;
}

bool
omen_cmd_json (struct argp_state *state, const char *format)
{
  bool json = format && !strcmp (format, "json");
  if (format && !json && strcmp (format, "text"))
    argp_error (state, "--format is text or json, not '%s'", format);
  return json;
}

bool
omen_cmd_keep (struct argp_state *state, const omen_cmd_slot *slots,
               size_t count, int key, const char *arg)
{
  for (size_t i = 0; i < count; i++)
    if (slots[i].key == key) {
      void *at = (char *)state->input + slots[i].offset;
      omen_cmd_once (state, slots[i].name, at, arg);
      return true;
    }
  return false;
}
