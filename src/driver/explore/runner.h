/* A program that is run many times, each time under a plan.

     omen_runner runner;
     if (!omen_runner_start (&runner, &recording, argv, &err)) …
     omen_runner_begin (&runner, plan, length, &err);
     … poll runner.socket …
     if (omen_runner_ended (&runner)) runner.status, and the trace in
                                      runner.trace
     omen_runner_stop (&runner);

   The program is started once, up to its runtime, which makes a child for each
   run (runtime/core/serve.h). Addresses are the same in every run. What it
   prints to standard error is in runner.errors; the rest goes nowhere. When
   omen ends, in whatever way, so does all that was started here. */
#ifndef OMEN_DRIVER_EXPLORE_RUNNER_H
#define OMEN_DRIVER_EXPLORE_RUNNER_H

#include "driver/guard.h"
#include "driver/recording.h"
#include "driver/scratch.h"

typedef struct omen_runner {
  int socket;    /* to the server; -1: there is none */
  unsigned rank; /* 0: ours; else it runs there (remote.h), and … */
  bool gone;     /* … is no more */
  pid_t server, child;
  omen_guard guard;
  omen_scratch scratch;
  char plan[PATH_MAX + 16], trace[PATH_MAX + 16];
  char errors[PATH_MAX + 16], output[PATH_MAX + 16]; /* of the last run */
  char *options;                                     /* of every run */
  const omen_stop_flag *stop; /* nobody waits for the server any more */
  bool prints;                /* its output counts */
  bool busy, timed_out;
  bool overrun;     /* its recording was so long that nobody reads it */
  int status;       /* of the last run, as of waitpid */
  unsigned depends; /* omen_served_depends */
  double begun;     /* of omen_now */
} omen_runner;

/* `prints`: its standard output is in runner.output, and counts. */
bool omen_runner_start (omen_runner *runner, const omen_recording *recording,
                        char **program, bool prints, omen_err *err);
/* The folder for its files, and their names. */
bool omen_runner_open_scratch (omen_runner *runner, omen_err *err);
void omen_runner_stop (omen_runner *runner);
bool omen_runner_begin (omen_runner *runner, const char *plan, size_t length,
                        omen_err *err);
/* Reads what has come from the server. True: the run is over. */
bool omen_runner_ended (omen_runner *runner);
/* Ends the run if it takes too long, or has recorded more than anybody can look
   at. */
void omen_runner_limit (omen_runner *runner);
void omen_runner_kill (omen_runner *runner);

#endif
