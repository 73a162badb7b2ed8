/* omen help [--man] [COMMAND] */
#include "cmd/completion.h"
#include "cmd/man.h"
#include "base/print.h"

#include <string.h>

static char docs[]
    = "What omen can do, or how one of its commands is used.\v"
      "Without COMMAND, lists the commands; with the first word of several "
      "commands, those.";
enum { KEY_COMPLETION = 0x100 };

static const struct argp_option options[]
    = { { "man", 'm', NULL, 0,
          "Print the manual page of COMMAND, or of omen itself, in troff form",
          0 },
        { "completion", KEY_COMPLETION, "SHELL", OPTION_HIDDEN,
          "What the build makes the completion of bash or zsh from", 0 },
        { 0 } };

typedef struct wanted {
  bool man;
  const char *shell; /* whose completion is wanted */
  char name[64];     /* the command's words, joined */
} wanted;

static error_t
parse_help_option (int key, char *arg, struct argp_state *state)
{
  wanted *request = state->input;
  size_t used = strlen (request->name);
  switch (key) {
  case 'm':
    request->man = true;
    return 0;
  case KEY_COMPLETION:
    if (strcmp (arg, "bash") && strcmp (arg, "zsh"))
      omen_cmd_error (state, "--completion is bash or zsh, not '%s'", arg);
    request->shell = arg;
    return 0;
  case ARGP_KEY_ARG:
    snprintf (request->name + used, sizeof request->name - used, "%s%s",
              used ? " " : "", arg);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp
    = { options, parse_help_option, "[COMMAND]", docs };

/* All commands, or those whose name starts with the word `group`. */
static void
list_commands (const char *group)
{
  size_t length = group ? strlen (group) : 0;
  for (size_t i = 0; i < omen_commands_count; i++) {
    const char *name = omen_commands[i]->name;
    if (!group || (!strncmp (name, group, length) && name[length] == ' '))
      omen_print (stdout, "  %-14s %s\n", name, omen_commands[i]->summary);
  }
}

static void
show_overview (void)
{
  puts ("Usage: omen COMMAND [ARGUMENT...]\n\n"
        "Foretells the concurrency errors of the runs that did not happen.\n\n"
        "Commands:");
  list_commands (NULL);
  puts ("\n'omen COMMAND --help' shows the options of a command.\n\n"
        "Exit status:");
#define SHOW_EXIT(name, code, meaning) puts ("  " #code "  " meaning);
  OMEN_EXITS (SHOW_EXIT)
#undef SHOW_EXIT
}

static void
show_command (const omen_cmd *cmd, bool man)
{
  char title[80];
  snprintf (title, sizeof title, "omen %s", cmd->name);
  if (man)
    omen_man_command (cmd, stdout);
  else if (cmd->argp)
    argp_help (cmd->argp, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK,
               title);
}

static const omen_cmd *
find_command (const char *name)
{
  for (size_t i = 0; i < omen_commands_count; i++)
    if (!strcmp (omen_commands[i]->name, name))
      return omen_commands[i];
  return NULL;
}

static int
run_help (int argc, char **argv)
{
  wanted request = { 0 };
  const omen_cmd *cmd;
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &request, &code))
    return code;
  cmd = find_command (request.name);
  if (request.shell)
    (strcmp (request.shell, "zsh") ? omen_completion_bash
                                   : omen_completion_zsh) (stdout);
  else if (cmd)
    show_command (cmd, request.man);
  else if (!request.name[0] && request.man)
    omen_man_overview (stdout);
  else if (!request.name[0])
    show_overview ();
  else if (omen_cmd_group (request.name) && !request.man)
    list_commands (request.name);
  else {
    omen_print (stderr, "omen: no command '%s'; try 'omen help'\n",
                request.name);
    return OMEN_EXIT_USAGE;
  }
  return omen_finish (OMEN_EXIT_NOTHING);
}

const omen_cmd omen_cmd_help
    = { "help", "this list, or help on a command", run_help, &argp };
