/* A subcommand is one file that owns its name, help, options and run:

     const omen_cmd omen_cmd_verify = { "verify", "judge a witness", run, &argp };

   listed once in commands.def. Options are parsed with argp; the argp doc
   string is also the source of the man page (man.c), so write it as
   prose: "one-line summary\vlonger text".

   Only this layer prints and exits. Results go to stdout, everything else to
   stderr with the prefix "omen: ". */
#ifndef OMEN_CMD_CMD_H
#define OMEN_CMD_CMD_H

#include "base/err.h"
#include "trace/load.h"

#include <argp.h>

/* What omen's exit status means; also the text of the manual. */
#define OMEN_EXITS(X)                                                          \
  X (NOTHING, 0, "ran, and found nothing")                                     \
  X (FINDINGS, 1, "at least one finding")                                      \
  X (USAGE, 2, "bad command line, or a file that cannot be read or written")   \
  X (INPUT, 3, "bad trace, spec or witness")                                   \
  X (BUDGET, 4, "budget or memory ran out before anything was found")          \
  X (BUG, 5, "an error of omen itself")

enum omen_exit {
#define OMEN_EXIT_(name, code, meaning) OMEN_EXIT_##name = code,
  OMEN_EXITS (OMEN_EXIT_)
#undef OMEN_EXIT_
};

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

/* Print "omen: where: what" and return `code` (2 instead of 3 if a file could
   not be read or written). */
int omen_cmd_fail (int code, const omen_err *err);
/* The trace at `path` ("-": standard input), its warnings printed; NULL with
   the message printed and *code set. */
omen_trace *omen_cmd_load (const char *path, int *code);
/* The same with the parser of one form; see trace/load.h. */
omen_trace *omen_cmd_load_as (const char *path, omen_trace_parser parser,
                              int *code);
/* Monitors have to have seen all: false, with the message printed and *code set,
   if the trace has lost its beginning. */
bool omen_cmd_has_beginning (const omen_trace *trace, int *code);
/* Parse with argp; false: *code is the exit code (help printed: 0). Options
   given twice that take one value are an error of the parser function. */
bool omen_cmd_parse (const struct argp *argp, int argc, char **argv,
                     void *input, int *code);
/* The same for commands that run a program: options end at the first word that
   is none. */
bool omen_cmd_parse_program (const struct argp *argp, int argc, char **argv,
                             void *input, int *code);
/* "omen: warning: …" on stderr. */
void omen_cmd_warn (const char *format, ...)
    __attribute__ ((format (printf, 1, 2)));
/* End of a command that printed results: flushes stdout; `code`, or 2 with a
   message if the output could not be written. */
int omen_cmd_finish (int code);
/* argp helper: *slot = arg, refusing a second time: "--model given twice". */
bool omen_cmd_once (struct argp_state *state, const char *option,
                    const char **slot, const char *arg);

/* argp helper: what --format is given as (NULL: not at all) stands for json, not
   for text, which is the default; refuses anything else. */
bool omen_cmd_json (struct argp_state *state, const char *format);

/* Options whose value is kept as typed, in the request of a command. */
typedef struct omen_cmd_slot {
  int key;
  const char *name;
  size_t offset; /* of a const char * in state->input */
} omen_cmd_slot;
#define OMEN_SLOT(request, key, name, field)                                   \
  { key, name, offsetof (request, field) }
/* argp helper: omen_cmd_once for the one with this key; false: there is none. */
bool omen_cmd_keep (struct argp_state *state, const omen_cmd_slot *slots,
                    size_t count, int key, const char *arg);

#endif
