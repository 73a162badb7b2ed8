/* Running the user's program as if omen were not there: its stdin, stdout and
   stderr are ours, signals reach it, and we end as it ends.

     omen_run run = { .path = "/usr/bin/sort", .argv = argv };
     if (omen_run_program (&run, &err)) …
     return omen_run_end (&run);

   Signals that somebody sends to omen (INT, TERM, HUP, QUIT, USR1, USR2) are
   passed on. Those of the terminal reach the program by themselves, being in
   our process group. When the terminal stops the program, omen stops too.

   A silent run is omen's own affair: it has a process group of its own, and
   when it is over nothing that it started is left. */
#ifndef OMEN_DRIVER_RUN_H
#define OMEN_DRIVER_RUN_H

#include "base/err.h"
#include "base/now.h"

typedef struct omen_run {
  const char *path;
  char *const *argv;
  const char *options; /* OMEN_OPTIONS of the program */
  const char *preload; /* a library, or NULL */
  const char *reports; /* AddressSanitizer writes what it says to files of this
                          name, a dot and a number; or NULL */
  uint64_t limit_ms;   /* SIGTERM after this time, SIGKILL 10 s later; 0: no */
  bool silent;         /* stdout and stderr are /dev/null, and so is stdin
                          unless it is a file */
  bool with_us;        /* it and all that it started end when omen is killed;
                          silent runs always do */
  /* Set to SIGTERM or SIGHUP when they come, or to what else ends omen if the
     run is silent: then everything that was started ends, at once. NULL: these
     are passed on as others are. */
  omen_stop_flag *stop;
  /* Called again and again while it runs, also after each signal; returns after
     how many milliseconds to call it again. NULL: nothing to do meanwhile. */
  unsigned (*beside) (void *context);
  void *context;
  bool ended_by_us; /* out: because of limit_ms */
  bool interrupted; /* out: because of *stop */
  int pid;          /* out: of the program, once it has started */
  int status;       /* out: of waitpid */
} omen_run;

/* What a shell returns for a program that is not there, or does not start. */
enum { OMEN_RUN_CANNOT = 126, OMEN_RUN_MISSING = 127 };

/* False if it did not start: *code is one of the above. */
bool omen_run_program (omen_run *run, int *code, omen_err *err);

/* What is added to the environment of a program: NAME=VALUE; NULL: no more. */
char *omen_run_setting (unsigned i);

/* Write a word of OMEN_OPTIONS, with a backslash before what would end it: at
   most twice as long. Returns its end. */
char *omen_run_word (char *to, const char *word);

/* The exit code to pass on. Does not return if the program died of a signal:
   we die of the same one. 0 if it was our SIGTERM that it died of. */
int omen_run_end (const omen_run *run);

#endif
