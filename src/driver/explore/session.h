/* omen explore: runs the program under one plan after the other, looks at what
   is new as omen check looks at a run, and says how it ended.

   A part of omen check (driver/check/state.h): in place of its further runs. */
#ifndef OMEN_DRIVER_EXPLORE_SESSION_H
#define OMEN_DRIVER_EXPLORE_SESSION_H

#include "driver/check/state.h"

/* All of it, with the other processes that mpirun started; their exit code, or
   that of the check. */
int omen_explore_program (const omen_check_request *request);
/* False: the program cannot be run; `code` says what to return. */
bool omen_check_explore (omen_check *c, omen_recording *recording, int *code);
/* Were all behaviours seen? */
bool omen_explore_complete (const omen_explore_result *result);
/* One line: complete, or what limited it. */
void omen_explore_tell (const omen_explore_result *result, FILE *out);

#endif
