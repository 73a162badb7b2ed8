/* Shell functions for share/completion/omen.bash, each with a case for every
   command: its options, their words, and what its arguments are. An option that
   takes a value ends in "=". */
#include "cmd/completion.h"

#include <string.h>

static void
put_option (FILE *out, const omen_cmd *cmd, const struct argp_option *option)
{
  const char *end = option->arg ? "=" : "";
  (void)cmd;
  if (omen_completion_letter (option))
    fprintf (out, " -%c%s", omen_completion_letter (option), end);
  if (option->name)
    fprintf (out, " --%s%s", option->name, end);
}

/* "'check --model'|'check -m'": the words before the value. */
static void
put_pattern (FILE *out, const omen_cmd *cmd, const struct argp_option *option)
{
  int letter = omen_completion_letter (option);
  if (letter)
    fprintf (out, "  '%s -%c'%s", cmd->name, letter, option->name ? "|" : "");
  if (option->name)
    fprintf (out, "%s'%s --%s'", letter ? "" : "  ", cmd->name, option->name);
  fputs (") ", out);
}

static void
put_words (FILE *out, const omen_cmd *cmd, const struct argp_option *option)
{
  const char *words
      = option->name ? omen_completion_words (cmd, option->name) : NULL;
  if (!words)
    return;
  put_pattern (out, cmd, option);
  fprintf (out, "echo '%s' ;;\n", words);
}

static void
put_file (FILE *out, const omen_cmd *cmd, const struct argp_option *option)
{
  if (!option->arg || !omen_completion_takes_file (option->arg))
    return;
  put_pattern (out, cmd, option);
  fputs ("return 0 ;;\n", out);
}

/* Begins a shell function with a case for each command (and option). */
static void
begin_table (FILE *out, const char *name, const char *key)
{
  fprintf (out, "%s ()\n{\n  case %s in\n", name, key);
}

static void
end_table (FILE *out, const char *otherwise)
{
  fprintf (out, "  %s\n  esac\n}\n\n", otherwise);
}

/* Is it the first of the commands with the same first word? */
static bool
begins_group (size_t i)
{
  const char *name = omen_commands[i]->name;
  for (size_t j = 0; j < i; j++)
    if (!strncmp (omen_commands[j]->name, name, strcspn (name, " ") + 1))
      return false;
  return true;
}

/* Without an argument the first words of commands; with one, the second words
   that may follow it. */
static void
put_commands (FILE *out)
{
  begin_table (out, "_omen_commands", "${1-}");
  fputs ("  '') echo", out);
  for (size_t i = 0; i < omen_commands_count; i++)
    if (begins_group (i))
      fprintf (out, " %.*s", (int)strcspn (omen_commands[i]->name, " "),
               omen_commands[i]->name);
  fputs (" --help --version ;;\n", out);
  for (size_t i = 0; i < omen_commands_count; i++) {
    const char *name = omen_commands[i]->name;
    size_t length = strcspn (name, " ");
    if (!name[length] || !begins_group (i))
      continue;
    fprintf (out, "  %.*s) echo", (int)length, name);
    for (size_t j = i; j < omen_commands_count; j++)
      if (!strncmp (omen_commands[j]->name, name, length + 1))
        fprintf (out, " %s", omen_commands[j]->name + length + 1);
    fputs (" ;;\n", out);
  }
  end_table (out, "*) ;;");
}

static void
put_arguments (FILE *out)
{
  begin_table (out, "_omen_arguments", "$1");
  for (size_t i = 0; i < omen_commands_count; i++)
    if (omen_completion_arguments (omen_commands[i]))
      fprintf (out, "  '%s') echo '%s' ;;\n", omen_commands[i]->name,
               omen_completion_arguments (omen_commands[i]));
  fputs ("  help) _omen_commands ;;\n", out);
  end_table (out, "*) ;;");
  begin_table (out, "_omen_runs", "$1");
  for (size_t i = 0; i < omen_commands_count; i++)
    if (omen_completion_runs_program (omen_commands[i]))
      fprintf (out, "  '%s') return 0 ;;\n", omen_commands[i]->name);
  end_table (out, "*) return 1 ;;");
}

void
omen_completion_bash (FILE *out)
{
  fputs ("# bash completion of omen " OMEN_VERSION "\n\n", out);
  put_commands (out);
  begin_table (out, "_omen_options", "$1");
  for (size_t i = 0; i < omen_commands_count; i++) {
    fprintf (out, "  '%s') echo ''", omen_commands[i]->name);
    omen_completion_each (out, omen_commands[i], put_option);
    fputs (" ;;\n", out);
  }
  end_table (out, "*) ;;");
  begin_table (out, "_omen_words", "\"$1 $2\"");
  for (size_t i = 0; i < omen_commands_count; i++)
    omen_completion_each (out, omen_commands[i], put_words);
  end_table (out, "*) ;;");
  begin_table (out, "_omen_takes_file", "\"$1 $2\"");
  for (size_t i = 0; i < omen_commands_count; i++)
    omen_completion_each (out, omen_commands[i], put_file);
  end_table (out, "*) return 1 ;;");
  put_arguments (out);
}
