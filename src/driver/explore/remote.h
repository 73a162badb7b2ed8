/* Runs on other ranks (driver/ranks): rank 0 sends plans, and has for each such
   run what a runner of its own would leave (runner.h). A rank that dies loses
   the run that it was at: the runner is `gone`, and the plan is to be run by
   another. */
#ifndef OMEN_DRIVER_EXPLORE_REMOTE_H
#define OMEN_DRIVER_EXPLORE_REMOTE_H

#include "driver/check/check.h"
#include "driver/explore/runner.h"
#include "driver/ranks/ranks.h"

/* Rank 0: a runner at the other end. The connection stays the caller's. */
bool omen_remote_start (omen_runner *runner, const omen_rank_link *link,
                        const omen_stop_flag *stop, omen_err *err);
void omen_remote_begin (omen_runner *runner, const char *plan, size_t length);
/* Something has come: how the run ended, or nothing more will. */
void omen_remote_ended (omen_runner *runner);

/* The others: what is asked for is run until rank 0 has enough. The exit
   code. */
int omen_remote_serve (const omen_check_request *request,
                       const omen_ranks *ranks);

#endif
