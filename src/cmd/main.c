/* omen: finds the subcommand and runs it. */
#include "cmd/cmd.h"
#include "base/print.h"
#include "driver/run.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OMEN_CMD(name) extern const omen_cmd omen_cmd_##name;
#include "cmd/commands.def"

const omen_cmd *const omen_commands[] = {
#define OMEN_CMD(name) &omen_cmd_##name,
#include "cmd/commands.def"
};
const size_t omen_commands_count = OMEN_COUNT (omen_commands);

/* Does argv begin with the command's name, one word per argument? Returns the
   number of words. */
static int
words_matched (const char *name, int argc, char **argv)
{
  int words = 0;
  while (*name) {
    size_t length = strcspn (name, " ");
    if (words == argc || strlen (argv[words]) != length
        || strncmp (argv[words], name, length))
      return 0;
    words++;
    name += length;
    name += strspn (name, " ");
  }
  return words;
}

static const omen_cmd *
find_command (int argc, char **argv, int *words)
{
  for (size_t i = 0; i < omen_commands_count; i++) {
    *words = words_matched (omen_commands[i]->name, argc, argv);
    if (*words)
      return omen_commands[i];
  }
  return NULL;
}

/* Do they differ by one typing mistake: a letter more, less or different, or
   two letters swapped? */
static bool
is_near (const char *typed, const char *name)
{
  size_t same = 0, typed_left, name_left;
  while (typed[same] && typed[same] == name[same])
    same++;
  typed += same;
  name += same;
  typed_left = strlen (typed);
  name_left = strlen (name);
  if (typed_left == name_left)
    return !typed_left || !strcmp (typed + 1, name + 1)
           || (typed_left > 1 && typed[0] == name[1] && typed[1] == name[0]
               && !strcmp (typed + 2, name + 2));
  return typed_left == name_left + 1   ? !strcmp (typed + 1, name)
         : name_left == typed_left + 1 ? !strcmp (typed, name + 1)
                                       : false;
}

static void
warn_unknown (const char *typed)
{
  for (size_t i = 0; i < omen_commands_count; i++)
    if (is_near (typed, omen_commands[i]->name)) {
      omen_print (stderr, "omen: unknown command '%s': did you mean '%s'?\n",
                  typed, omen_commands[i]->name);
      return;
    }
  omen_print (stderr, "omen: unknown command '%s'; try 'omen help'\n", typed);
}

static int
run_unknown (int argc, char **argv)
{
  if (argc < 2)
    omen_print (stderr, "omen: no command given; try 'omen help'\n");
  else if (!omen_cmd_group (argv[1]))
    warn_unknown (argv[1]);
  else if (argc < 3)
    omen_print (stderr, "omen: '%s' needs another word; try 'omen help %s'\n",
                argv[1], argv[1]);
  else
    omen_print (stderr, "omen: unknown command '%s %s'; try 'omen help %s'\n",
                argv[1], argv[2], argv[1]);
  return OMEN_EXIT_USAGE;
}

/* argp names the program by argv[0], so that is set to "omen trace stat". */
static int
run_command (const omen_cmd *cmd, int words, int argc, char **argv)
{
  static char name[64];
  snprintf (name, sizeof name, "omen %s", cmd->name);
  argv[words] = name;
  program_invocation_name = program_invocation_short_name = name;
  return cmd->run (argc - words, argv + words);
}

static bool
is_help (const char *word)
{
  return !strcmp (word, "--help") || !strcmp (word, "-h")
         || !strcmp (word, "-?");
}

/* omen-cc and omen-c++ are links to omen that act as compilers. */
static const omen_cmd *
find_by_own_name (const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash ? slash + 1 : path;
  return !strcmp (name, "omen-cc")    ? &omen_cmd_cc
         : !strcmp (name, "omen-c++") ? &omen_cmd_cxx
                                      : NULL;
}

/* Files are read where they are mapped: what a shorter file no longer has, and
   a disk that fails, show as this signal. */
static void
tell_lost_file (int number, siginfo_t *info, void *context)
{
  static const char text[]
      = "omen: a file became shorter, or its disk failed, while it was read\n";
  if (info->si_code == BUS_ADRERR) {
    (void)!write (STDERR_FILENO, text, sizeof text - 1);
    _exit (OMEN_EXIT_USAGE);
  }
  signal (number, SIG_DFL); /* it comes again */
}

int
main (int argc, char **argv)
{
  const struct sigaction lost
      = { .sa_sigaction = tell_lost_file, .sa_flags = SA_SIGINFO };
  int words;
  const omen_cmd *cmd = argc ? find_by_own_name (argv[0]) : NULL;
  if (cmd)
    return cmd->run (argc, argv);
  cmd = find_command (argc - 1, argv + 1, &words);
  omen_run_take_signals ();
  sigaction (SIGBUS, &lost, NULL);
  argp_err_exit_status = OMEN_EXIT_USAGE;
  if (cmd)
    return run_command (cmd, words, argc, argv);
  if (argc >= 2 && is_help (argv[1]))
    return omen_cmd_help.run (1, argv);
  if (argc >= 2 && !strcmp (argv[1], "--version"))
    return omen_cmd_version.run (1, argv);
  if (argc >= 3 && omen_cmd_group (argv[1]) && is_help (argv[2]))
    return omen_cmd_help.run (2, argv); /* omen trace --help */
  return run_unknown (argc, argv);
}
