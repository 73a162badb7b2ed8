#include "cmd/cmd.h"
#include "base/print.h"

#include <stdlib.h>
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

void
omen_cmd_error (const struct argp_state *state, const char *format, ...)
{
  char *text;
  size_t size;
  va_list args;
  FILE *out = open_memstream (&text, &size);
  OMEN_REQUIRE (out);
  va_start (args, format);
  omen_vprint (out, format, args);
  va_end (args);
  fclose (out);
  argp_error (state, "%s", text);
  free (text);
}

static bool
is_tame (const char *word)
{
  size_t left = strlen (word), size;
  for (; left; word += size, left -= size)
    if (!(size = omen_print_plain (word, left)))
      return false;
  return true;
}

/* getopt prints an unknown option verbatim, so options with control characters
   are refused. What follows "--" or a program's name is not omen's. */
static bool
are_tame (int argc, char **argv, bool program, int *code)
{
  int end = 1;
  while (end < argc && strcmp (argv[end], "--"))
    end++;
  for (int i = 1; i < end; i++)
    if (*argv[i] == '-' && !is_tame (argv[i])) {
      omen_print (stderr,
                  "%s: an option has characters that cannot be printed: '%s'\n",
                  argv[0], argv[i]);
      *code = OMEN_EXIT_USAGE;
      return false;
    } else if (program && end == argc && *argv[i] != '-')
      break;
  return true;
}

static bool
parse_arguments (const struct argp *argp, int argc, char **argv, unsigned flags,
                 void *input, int *code)
{
  if (!are_tame (argc, argv, flags & ARGP_IN_ORDER, code))
    return false;
  error_t error = argp_parse (argp, argc, argv, flags, NULL, input);
  *code = error ? OMEN_EXIT_USAGE : 0;
  return !error;
}

bool
omen_cmd_parse (const struct argp *argp, int argc, char **argv, void *input,
                int *code)
{
  return parse_arguments (argp, argc, argv, 0, input, code);
}

bool
omen_cmd_parse_program (const struct argp *argp, int argc, char **argv,
                        void *input, int *code)
{
  return parse_arguments (argp, argc, argv, ARGP_IN_ORDER, input, code);
}
