/* A subcommand is one file that owns its name, help, options and run:

     const omen_cmd omen_cmd_verify
         = { "verify", "judge a witness", run, &argp };

   listed once in commands.def. Options are parsed with argp, those that several
   commands have with children of it (cmd/options.h); the argp doc string is
   also the source of the man page (man.c), so write it as prose: "one-line
   summary\vlonger text". driver/message.h says where messages go. */
#ifndef OMEN_CMD_CMD_H
#define OMEN_CMD_CMD_H

#include "driver/input.h"

#include <argp.h>

typedef struct omen_cmd {
  const char *name;    /* as typed; "trace stat" for a second level */
  const char *summary; /* one line for `omen help` */
  int (*run) (int argc, char **argv);
  const struct argp *argp; /* for --help and the man page; may be NULL */
} omen_cmd;

extern const omen_cmd *const omen_commands[];
extern const size_t omen_commands_count;

/* Is `name` the first word of commands with two, as "trace" is? */
bool omen_cmd_group (const char *name);

/* Reports an invalid command line, "omen check: …", and where to read on; does
   not return. */
void omen_cmd_error (const struct argp_state *state, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* Parses with argp; false: *code is the exit code (0 if help was printed). The
   parser function must refuse a repeated option that takes one value. */
bool omen_cmd_parse (const struct argp *argp, int argc, char **argv,
                     void *input, int *code);
/* The same for commands that run a program: options end at the first argument
   that is not an option. */
bool omen_cmd_parse_program (const struct argp *argp, int argc, char **argv,
                             void *input, int *code);

#endif
