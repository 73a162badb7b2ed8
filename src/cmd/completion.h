/* Scripts that complete the command line in bash and zsh, made from the argp
   tables: what --help lists is what they offer. */
#ifndef OMEN_CMD_COMPLETION_H
#define OMEN_CMD_COMPLETION_H

#include "cmd/cmd.h"

#include <stdio.h>

void omen_completion_bash (FILE *out);
void omen_completion_zsh (FILE *out);

/* The words that an option takes, separated by blanks; NULL: its value is
   something else. `name` is that of the option, without dashes. */
const char *omen_completion_words (const omen_cmd *cmd, const char *name);

/* The words that a command's first argument may be; NULL: it is something
   else. */
const char *omen_completion_arguments (const omen_cmd *cmd);

/* Does `arg`, the name of an option's value in --help, denote a file or
   folder? */
bool omen_completion_takes_file (const char *arg);

/* Does the command line end with a program and its arguments? */
bool omen_completion_runs_program (const omen_cmd *cmd);

/* Calls `visit` for each option that --help shows, those of children and of
   argp itself included; an alias has the value and the text of its option. */
typedef void omen_completion_visit (FILE *out, const omen_cmd *cmd,
                                    const struct argp_option *option);
void omen_completion_each (FILE *out, const omen_cmd *cmd,
                           omen_completion_visit *visit);

/* The letter of a short option; 0: it has none. */
int omen_completion_letter (const struct argp_option *option);

#endif
