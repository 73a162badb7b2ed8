#include "cmd/completion.h"

#include <ctype.h>
#include <string.h>

/* argp's option tables do not list the words that an option takes; only its
   parser knows them. test/suites/completion compares this list with the words
   in the commands' error messages. */
static const struct {
  const char *command; /* NULL: every one */
  const char *option, *words;
} words[] = {
  { NULL, "atomic", "all steady marked" },
  { "check", "color", "auto always never" },
  { "predict", "engine", "search sidetrack observed" },
  { "report", "format", "text json sarif html" },
  { NULL, "format", "text json" },
  { "trace import", "from", "auto text csv roadrunner" },
  { "check", "group", "cause variable" },
  { NULL, "group", "cause location event variable none" },
  { NULL, "model", "rf value sliced lattice" },
  { "predict", "solver", "native z3" },
  { "trace export", "to", "text binary std perfetto" },
};

const char *
omen_completion_words (const omen_cmd *cmd, const char *name)
{
  for (size_t i = 0; i < OMEN_COUNT (words); i++)
    if ((!words[i].command || !strcmp (words[i].command, cmd->name))
        && !strcmp (words[i].option, name))
      return words[i].words;
  return NULL;
}

const char *
omen_completion_arguments (const omen_cmd *cmd)
{
  return strcmp (cmd->name, "predict")
             ? NULL
             : "race deadlock atomicity nondet property failure all";
}

bool
omen_completion_takes_file (const char *arg)
{
  static const char *const files[]
      = { "FILE", "DIR", "OUT", "SPEC", "TRACE", "WITNESS" };
  for (size_t i = 0; i < OMEN_COUNT (files); i++)
    if (!strcmp (arg, files[i]))
      return true;
  return false;
}

bool
omen_completion_runs_program (const omen_cmd *cmd)
{
  return cmd->argp && cmd->argp->args_doc
         && strstr (cmd->argp->args_doc, "PROGRAM");
}

int
omen_completion_letter (const struct argp_option *option)
{
  return option->key > 0 && option->key < 128 && isgraph (option->key)
             ? option->key
             : 0;
}

static void
visit_table (FILE *out, const omen_cmd *cmd, const struct argp *argp,
             omen_completion_visit *visit)
{
  const struct argp_option *option = argp->options, *main = option;
  for (; option && (option->name || option->key || option->doc); option++) {
    struct argp_option full = *option;
    if (!(option->flags & OPTION_ALIAS))
      main = option;
    full.arg = main->arg;
    full.doc = main->doc;
    if ((option->name || option->key)
        && !(option->flags & (OPTION_HIDDEN | OPTION_DOC)))
      visit (out, cmd, &full);
  }
  for (const struct argp_child *child = argp->children; child && child->argp;
       child++)
    visit_table (out, cmd, child->argp, visit);
}

void
omen_completion_each (FILE *out, const omen_cmd *cmd,
                      omen_completion_visit *visit)
{
  static const struct argp_option own[]
      = { { "help", '?', NULL, 0, "Print a summary of the options", 0 },
          { "usage", 0, NULL, 0, "Print a short usage message", 0 },
          { 0 } };
  static const struct argp defaults = { .options = own };
  if (cmd->argp)
    visit_table (out, cmd, cmd->argp, visit);
  visit_table (out, cmd, &defaults, visit);
}
