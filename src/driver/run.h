/* Runs the user's program transparently: it has our stdin, stdout and stderr,
   gets our signals, and omen ends as it ends.

     omen_run run = { .path = "/usr/bin/sort", .argv = argv };
     if (omen_run_program (&run, &err)) …
     return omen_run_end (&run);

   Signals sent to omen (INT, TERM, HUP, QUIT, USR1, USR2) are forwarded.
   Signals of the terminal reach the program directly, as it is in our process
   group. When the terminal stops the program, omen stops, too.

   A silent run (for omen's own purposes) has a process group of its own; when
   it ends, all that it started is terminated. */
#ifndef OMEN_DRIVER_RUN_H
#define OMEN_DRIVER_RUN_H

#include "base/err.h"
#include "base/now.h"

typedef struct omen_run {
  const char *path;
  char *const *argv;
  const char *options; /* OMEN_OPTIONS of the program */
  const char *preload; /* a library, or NULL */
  const char *reports; /* AddressSanitizer writes its reports to files with this
                          name, a dot and a number; or NULL */
  uint64_t limit_ms; /* SIGTERM after this time, SIGKILL 10 s later; 0: none */
  bool silent; /* stdout and stderr are /dev/null, and also stdin unless it is a
                  file */
  bool with_us; /* it and all that it started are terminated when omen is
                   killed; always so for silent runs */
  /* Set to SIGTERM or SIGHUP when they come, and in silent runs to other
     terminating signals: then all that was started is terminated at once. NULL:
     these signals are forwarded like others. */
  omen_stop_flag *stop;
  /* Called periodically while it runs, also after signals; returns the number
     of milliseconds until the next call. NULL: none. */
  unsigned (*beside) (void *context);
  void *context;
  bool ended_by_us; /* out: by limit_ms */
  bool interrupted; /* out: by *stop */
  int pid;          /* out: of the program, once it has started */
  int status;       /* out: of waitpid */
} omen_run;

/* Ignore SIGPIPE and SIGXFSZ: then a write that fails can be reported. */
void omen_run_take_signals (void);
/* In a child, before it becomes another program: as omen was started. */
void omen_run_give_signals (void);

/* A shell's exit codes for programs that cannot be executed, or do not
   exist. */
enum { OMEN_RUN_CANNOT = 126, OMEN_RUN_MISSING = 127 };

/* False if the program did not start; *code is one of the above. */
bool omen_run_program (omen_run *run, int *code, omen_err *err);

/* Entries NAME=VALUE that are added to the program's environment; NULL after
   the last one. */
char *omen_run_setting (unsigned i);

/* Append a word of OMEN_OPTIONS, escaped with backslashes (at most twice as
   long). Returns its end. */
char *omen_run_word (char *to, const char *word);

/* The exit code of the program. If it died of a signal, terminates by the same
   signal instead; but returns 0 if that was our SIGTERM or SIGKILL after
   limit_ms. */
int omen_run_end (const omen_run *run);

#endif
