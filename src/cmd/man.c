#include "cmd/man.h"

#include <ctype.h>
#include <string.h>

/* ---- text ---- */

/* `length` bytes, with characters that troff interprets escaped. */
static void
put_man_text (FILE *out, const char *text, size_t length)
{
  if (length && (*text == '.' || *text == '\''))
    fputs ("\\&", out);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\\')
      fputs ("\\e", out);
    else if (text[i] == '-')
      fputs ("\\-", out);
    else
      fputc (text[i], out);
}

static void
put_line (FILE *out, const char *text)
{
  put_man_text (out, text, strlen (text));
  fputc ('\n', out);
}

/* Paragraphs; lines that start with a blank are set verbatim. */
static void
put_prose (FILE *out, const char *text, size_t length)
{
  bool as_is = false;
  const char *end = text + length;
  while (text < end) {
    const char *newline = memchr (text, '\n', (size_t)(end - text));
    const char *stop = newline ? newline : end;
    bool blank = stop > text && *text == ' ';
    if (blank != as_is)
      fputs (blank ? ".nf\n" : ".fi\n", out);
    as_is = blank;
    if (stop == text)
      fputs (".PP", out);
    put_man_text (out, text, (size_t)(stop - text));
    fputc ('\n', out);
    text = stop + 1;
  }
  if (as_is)
    fputs (".fi\n", out);
}

/* "omen-trace-stat" of "trace stat" */
static void
put_page_name (FILE *out, const omen_cmd *cmd, const char *hyphen)
{
  fprintf (out, "omen%s", hyphen);
  for (const char *c = cmd->name; *c; c++)
    if (*c == ' ')
      fputs (hyphen, out);
    else
      fputc (*c, out);
}

static void
put_title (FILE *out, const omen_cmd *cmd)
{
  fputs (".TH \"OMEN", out);
  for (const char *c = cmd ? cmd->name : ""; *c; c++) {
    if (c == cmd->name)
      fputc ('-', out);
    fputc (*c == ' ' ? '-' : toupper ((unsigned char)*c), out);
  }
  fputs ("\" 1 \"\" \"omen " OMEN_VERSION "\" \"omen manual\"\n", out);
}

/* ---- options ---- */

static bool
short_key (const struct argp_option *option)
{
  return option->key > 0 && option->key < 128 && isgraph (option->key);
}

/* "\fB\-m\fR, \fB\-\-model\fR=\fIMODEL\fR": an option and its aliases. */
static void
put_option_names (FILE *out, const struct argp_option *option, const char *arg)
{
  bool optional = option->flags & OPTION_ARG_OPTIONAL;
  if (short_key (option))
    fprintf (out, "\\fB\\-%c\\fR%s", option->key, option->name ? ", " : "");
  if (option->name) {
    fputs ("\\fB\\-\\-", out);
    put_man_text (out, option->name, strlen (option->name));
    fputs ("\\fR", out);
  }
  if (arg && option->name)
    fprintf (out, "%s=\\fI%s\\fR%s", optional ? "[" : "", arg,
             optional ? "]" : "");
  else if (arg)
    fprintf (out, " \\fI%s\\fR", arg);
}

static bool
is_head (const struct argp_option *option)
{
  return !option->name && !option->key;
}

static bool
end_of_options (const struct argp_option *option)
{
  return is_head (option) && !option->doc && !option->group;
}

/* An option, with the aliases that follow it. */
static void
put_option (FILE *out, const struct argp_option *option)
{
  const struct argp_option *main = option;
  fputs (".TP\n", out);
  put_option_names (out, option, main->arg);
  for (option++; !is_head (option) && option->flags & OPTION_ALIAS; option++) {
    fputs (", ", out);
    put_option_names (out, option, main->arg);
  }
  fputc ('\n', out);
  if (main->doc)
    put_prose (out, main->doc, strlen (main->doc));
}

/* The headings, or the options, of one group, including those of children.
   Groups are numbered as in argp: an option without a number belongs to the
   group of the option before it. Returns the highest number. */
static int
put_group (FILE *out, const struct argp *argp, int wanted, bool heads)
{
  const struct argp_option *option = argp->options;
  int group = 0, most = 0;
  for (; option && !end_of_options (option); option++) {
    group = option->group ? option->group : group + is_head (option);
    most = group > most ? group : most;
    if (group != wanted || is_head (option) != heads
        || option->flags & (OPTION_HIDDEN | OPTION_DOC | OPTION_ALIAS))
      continue;
    if (heads) {
      fputs (".SS ", out);
      put_man_text (out, option->doc, strcspn (option->doc, ":"));
      fputc ('\n', out);
    } else
      put_option (out, option);
  }
  for (const struct argp_child *child = argp->children; child && child->argp;
       child++) {
    group = put_group (out, child->argp, wanted, heads);
    most = group > most ? group : most;
  }
  return most;
}

static void
put_options (FILE *out, const struct argp *argp)
{
  int most = argp ? put_group (out, argp, 0, false) : 0;
  fputs (".TP\n\\fB\\-?\\fR, \\fB\\-\\-help\\fR\nPrint a summary of the "
         "options.\n.TP\n\\fB\\-\\-usage\\fR\nPrint a short usage message.\n",
         out);
  for (int group = 1; group <= most; group++) {
    put_group (out, argp, group, true);
    put_group (out, argp, group, false);
  }
}

/* ---- sections ---- */

static void
put_synopsis (FILE *out, const omen_cmd *cmd)
{
  const char *args
      = cmd->argp && cmd->argp->args_doc ? cmd->argp->args_doc : "";
  fputs (".SH SYNOPSIS\n", out);
  do {
    size_t length = strcspn (args, "\n");
    fprintf (out, ".B omen %s\n[\\fIOPTION\\fR...]", cmd->name);
    if (length) {
      fputs ("\n", out);
      put_man_text (out, args, length);
    }
    fputs ("\n", out);
    args += length;
    if (*args)
      fputs (".br\n", out);
  } while (*args++);
}

static void
put_description (FILE *out, const omen_cmd *cmd)
{
  const char *doc = cmd->argp && cmd->argp->doc ? cmd->argp->doc : cmd->summary;
  size_t before = strcspn (doc, "\v");
  fputs (".SH DESCRIPTION\n", out);
  put_prose (out, doc, before);
  if (doc[before]) {
    fputs (".PP\n", out);
    put_prose (out, doc + before + 1, strlen (doc + before + 1));
  }
}

static void
put_exit_status (FILE *out)
{
  fputs (".SH EXIT STATUS\n", out);
#define PUT_EXIT(name, code, meaning)                                          \
  fputs (".TP\n.B " #code "\n" meaning ".\n", out);
  OMEN_EXITS (PUT_EXIT)
#undef PUT_EXIT
}

static void
put_reference (FILE *out, const omen_cmd *cmd, bool first)
{
  fputs (first ? ".BR " : ",\n.BR ", out);
  put_page_name (out, cmd, "\\-");
  fputs (" (1)", out);
}

/* The overview and the commands of the same group. */
static void
put_see_also (FILE *out, const omen_cmd *cmd)
{
  size_t group = strcspn (cmd->name, " ");
  fputs (".SH SEE ALSO\n.BR omen (1)", out);
  for (size_t i = 0; cmd->name[group] && i < omen_commands_count; i++)
    if (omen_commands[i] != cmd
        && !strncmp (omen_commands[i]->name, cmd->name, group + 1))
      put_reference (out, omen_commands[i], false);
  fputc ('\n', out);
}

void
omen_man_command (const omen_cmd *cmd, FILE *out)
{
  put_title (out, cmd);
  fputs (".SH NAME\n", out);
  put_page_name (out, cmd, "\\-");
  fputs (" \\- ", out);
  put_line (out, cmd->summary);
  put_synopsis (out, cmd);
  put_description (out, cmd);
  fputs (".SH OPTIONS\n", out);
  put_options (out, cmd->argp);
  put_exit_status (out);
  put_see_also (out, cmd);
}

void
omen_man_overview (FILE *out)
{
  put_title (out, NULL);
  fputs (".SH NAME\nomen \\- foretell the concurrency errors of the runs that "
         "did not happen\n"
         ".SH SYNOPSIS\n.B omen\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n"
         ".br\n.B omen \\-\\-version\n.br\n.B omen \\-\\-help\n"
         ".SH DESCRIPTION\n"
         "omen looks at the trace of one run of a multithreaded program and "
         "finds\nthe concurrency errors of the other runs that the same events "
         "allow.\nEvery report carries a witness: a schedule that leads to the "
         "error, checked\nby code that shares nothing with the search that "
         "found it.\n.PP\nResults go to the standard output, messages to the "
         "standard error.\nWhere a command reads a trace, \\fB\\-\\fR is the "
         "standard input.\n.SH COMMANDS\n",
         out);
  for (size_t i = 0; i < omen_commands_count; i++) {
    fputs (".TP\n", out);
    put_reference (out, omen_commands[i], true);
    fputc ('\n', out);
    put_line (out, omen_commands[i]->summary);
  }
  put_exit_status (out);
}
