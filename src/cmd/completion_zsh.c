/* A function for each command that calls _arguments with its options;
   share/completion/omen.zsh finds the command and calls it. */
#include "cmd/completion.h"

#include <string.h>

/* Escapes text for '…' within a specification of _arguments. */
static void
put_escaped (FILE *out, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\'')
      fputs ("'\\''", out);
    else if (strchr ("[]:\\", text[i]))
      fprintf (out, "\\%c", text[i]);
    else
      fputc (text[i], out);
}

/* The first clause of the option's help text. */
static void
put_zsh_text (FILE *out, const char *text)
{
  size_t end = 0;
  while (text[end] && text[end] != ';' && text[end] != ':'
         && !(text[end] == '.' && (text[end + 1] == ' ' || !text[end + 1])))
    end++;
  fputc ('[', out);
  put_escaped (out, text, end);
  fputc (']', out);
}

static void
put_value (FILE *out, const omen_cmd *cmd, const struct argp_option *option)
{
  const char *words
      = option->name ? omen_completion_words (cmd, option->name) : NULL;
  fputc (':', out);
  put_escaped (out, option->arg, strlen (option->arg));
  fputc (':', out);
  if (omen_completion_takes_file (option->arg))
    fputs ("_files", out);
  else if (words)
    fprintf (out, "(%s)", words);
  else
    fputc (' ', out);
}

/* Every option may be repeated; the command refuses those that may not. */
static void
put_option (FILE *out, const omen_cmd *cmd, const struct argp_option *option)
{
  int letter = omen_completion_letter (option);
  for (int names = 0; names < 2; names++) {
    if (names ? !option->name : !letter)
      continue;
    fputs (" \\\n    '*'", out);
    if (names)
      fprintf (out, "'--%s%s", option->name, option->arg ? "=" : "");
    else
      fprintf (out, "'-%c%s", letter, option->arg ? "+" : "");
    put_zsh_text (out, option->doc ? option->doc : "");
    if (option->arg)
      put_value (out, cmd, option);
    fputc ('\'', out);
  }
}

static void
put_arguments (FILE *out, const omen_cmd *cmd)
{
  const char *words = omen_completion_arguments (cmd);
  if (omen_completion_runs_program (cmd))
    fputs (" \\\n    '*::program:_omen_program'", out);
  else if (words)
    fprintf (out,
             " \\\n    '1: :_alternative \"kinds:kind:(%s)\" "
             "\"files:trace:_files\"' \\\n    '*:file:_files'",
             words);
  else if (!strcmp (cmd->name, "help"))
    fputs (" \\\n    '*:command:_omen_names'", out);
  else if (strcmp (cmd->name, "version"))
    fputs (" \\\n    '*:file:_files'", out);
}

/* "trace_stat" for "trace stat", the name that the driver script calls. */
static void
put_function (FILE *out, const omen_cmd *cmd)
{
  fputs ("_omen_", out);
  for (const char *c = cmd->name; *c; c++)
    fputc (*c == ' ' ? '_' : *c, out);
  fputs (" ()\n{\n  _arguments -s -S", out);
  omen_completion_each (out, cmd, put_option);
  put_arguments (out, cmd);
  fputs ("\n}\n\n", out);
}

void
omen_completion_zsh (FILE *out)
{
  fputs ("#compdef omen omen-cc omen-c++\n"
         "# zsh completion of omen " OMEN_VERSION "\n\n",
         out);
  fputs ("_omen_commands=(\n", out);
  for (size_t i = 0; i < omen_commands_count; i++) {
    fputs ("  '", out);
    put_escaped (out, omen_commands[i]->name, strlen (omen_commands[i]->name));
    fputc (':', out);
    put_escaped (out, omen_commands[i]->summary,
                 strlen (omen_commands[i]->summary));
    fputs ("'\n", out);
  }
  fputs (")\n\n", out);
  for (size_t i = 0; i < omen_commands_count; i++)
    put_function (out, omen_commands[i]);
}
