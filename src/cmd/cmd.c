#include "cmd/cmd.h"

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
