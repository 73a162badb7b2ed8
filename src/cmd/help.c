/* omen help [COMMAND] */
#include "cmd/cmd.h"

#include <stdio.h>
#include <string.h>

static char docs[]
    = "What omen can do, or how one of its commands is used.\v"
      "Without COMMAND, lists the commands. With --man, prints the manual page "
      "of COMMAND in troff form (used when omen is built).";
static const struct argp argp = { .args_doc = "[COMMAND]", .doc = docs };

static void
list_commands (void)
{
  puts ("Usage: omen COMMAND [ARGS]\n\n"
        "Foretells the concurrency errors of the runs that did not happen.\n\n"
        "Commands:");
  for (size_t i = 0; i < omen_commands_count; i++)
    printf ("  %-14s %s\n", omen_commands[i]->name, omen_commands[i]->summary);
  puts ("\n'omen COMMAND --help' shows the options of a command.\n"
        "Exit: 0 nothing found, 1 findings, 2 usage, 3 bad trace, spec or "
        "witness,\n      4 budget or memory ran out, 5 our own bug.");
}

static int
help_of (int argc, char **argv)
{
  char name[64] = "", title[80];
  for (int i = 1; i < argc; i++)
    snprintf (name + strlen (name), sizeof name - strlen (name), "%s%s",
              i > 1 ? " " : "", argv[i]);
  snprintf (title, sizeof title, "omen %s", name);
  for (size_t i = 0; i < omen_commands_count; i++)
    if (!strcmp (omen_commands[i]->name, name)) {
      if (omen_commands[i]->argp)
        argp_help (omen_commands[i]->argp, stdout, ARGP_HELP_STD_HELP, title);
      return omen_cmd_finish (OMEN_EXIT_NOTHING);
    }
  fprintf (stderr, "omen: no command '%s'; try 'omen help'\n", name);
  return OMEN_EXIT_USAGE;
}

static int
run (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "--help"))
    return help_of (argc, argv);
  list_commands ();
  return omen_cmd_finish (OMEN_EXIT_NOTHING);
}

const omen_cmd omen_cmd_help = { "help", "this list, or help on a command",
                                 run, &argp };
