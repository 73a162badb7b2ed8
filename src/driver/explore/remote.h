/* Runs on other ranks (driver/ranks): rank 0 sends plans, and gets the same
   results as from a local runner (runner.h). If a rank dies, its runner is
   `gone`, and its plan has to be run by another one. */
#ifndef OMEN_DRIVER_EXPLORE_REMOTE_H
#define OMEN_DRIVER_EXPLORE_REMOTE_H

#include "driver/check/check.h"
#include "driver/explore/runner.h"
#include "driver/ranks/ranks.h"

/* On rank 0: a runner at the other end. The connection remains the caller's. */
bool omen_remote_start (omen_runner *runner, const omen_rank_link *link,
                        const omen_stop_flag *stop, omen_err *err);
void omen_remote_begin (omen_runner *runner, const char *plan, size_t length);
/* Called when data has arrived: the result of a run, or end of file. */
void omen_remote_ended (omen_runner *runner);

/* On other ranks: run what rank 0 requests, until it needs no more. Returns the
   exit code. */
int omen_remote_serve (const omen_check_request *request,
                       const omen_ranks *ranks);

#endif
