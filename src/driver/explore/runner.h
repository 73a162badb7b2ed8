/* Runs a program many times, each time under a plan.

     omen_runner runner;
     if (!omen_runner_start (&runner, &recording, argv, &err)) …
     omen_runner_begin (&runner, plan, length, &err);
     … poll runner.socket …
     if (omen_runner_ended (&runner)) runner.status, and the trace in
                                      runner.trace
     omen_runner_stop (&runner);

   The program is started once; its runtime then forks a child for each run
   (runtime/core/serve.h). Addresses are the same in every run. Standard error
   goes to runner.errors, other output to /dev/null. When omen ends, in any way,
   so does everything started here. */
#ifndef OMEN_DRIVER_EXPLORE_RUNNER_H
#define OMEN_DRIVER_EXPLORE_RUNNER_H

#include "driver/guard.h"
#include "driver/recording.h"
#include "driver/scratch.h"

typedef struct omen_runner {
  int socket;    /* to the server; -1: none */
  unsigned rank; /* 0: local; otherwise it runs on that rank (remote.h) … */
  bool gone;     /* … which has ended */
  pid_t server, child;
  omen_guard guard;
  omen_scratch scratch;
  char plan[PATH_MAX + 16], trace[PATH_MAX + 16];
  char errors[PATH_MAX + 16], output[PATH_MAX + 16]; /* of the last run */
  char *options;                                     /* of every run */
  const omen_stop_flag *stop; /* set: do not wait for the server any more */
  bool prints;                /* output is compared */
  bool busy, timed_out;
  bool overrun;     /* its recording is too long to be read */
  int status;       /* of the last run, as of waitpid */
  unsigned depends; /* omen_served_depends */
  double begun;     /* time (omen_now) */
} omen_runner;

/* `prints`: standard output goes to runner.output and is compared. */
bool omen_runner_start (omen_runner *runner, const omen_recording *recording,
                        char **program, bool prints, omen_err *err);
/* Creates the directory for its files, and their names. */
bool omen_runner_open_scratch (omen_runner *runner, omen_err *err);
void omen_runner_stop (omen_runner *runner);
bool omen_runner_begin (omen_runner *runner, const char *plan, size_t length,
                        omen_err *err);
/* Reads what the server has sent. True: the run is over. */
bool omen_runner_ended (omen_runner *runner);
/* Ends the run if it exceeds the limits of time or recording size. */
void omen_runner_limit (omen_runner *runner);
void omen_runner_kill (omen_runner *runner);

#endif
