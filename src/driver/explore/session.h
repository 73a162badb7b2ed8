/* omen explore: runs the program under one plan after another, analyses new
   behaviours as omen check analyses a run, and reports the result.

   Part of omen check (driver/check/state.h), in place of its further runs. */
#ifndef OMEN_DRIVER_EXPLORE_SESSION_H
#define OMEN_DRIVER_EXPLORE_SESSION_H

#include "driver/check/state.h"

/* The whole command, together with the other processes that mpirun started.
   Returns the exit code of the check, or of their part. */
int omen_explore_program (const omen_check_request *request);
/* False: the program cannot be run; `code` is the exit code. */
bool omen_check_explore (omen_check *c, omen_recording *recording, int *code);
/* Were all behaviours covered? */
bool omen_explore_complete (const omen_explore_result *result);
/* One line: complete, or the reasons for incompleteness. */
void omen_explore_print (const omen_explore_result *result, FILE *out);

#endif
