/* One replay: forces the plan of a witness onto the program, and judges the
   trace of that run.

   The trace may be of any process that the program starts. That process is
   recognised by program, directory and arguments; if none matches, by its
   program alone, in a second run. If the program itself is woven, it is the
   first process.

   Prints nothing. A program that does not end by itself is terminated after
   `limit_ms`. */
#ifndef OMEN_DRIVER_REPLAY_REPLAYING_H
#define OMEN_DRIVER_REPLAY_REPLAYING_H

#include "driver/replay/judge.h"
#include "driver/replay/origin.h"
#include "driver/recording.h"

typedef struct omen_replay {
  const omen_trace *trace;
  const omen_witness *witness;
  const omen_origin *origin;   /* of the trace */
  const omen_spec_list *specs; /* for properties; may be empty */
  const char *then;            /* free, serial, stop or exit: after the plan */
  const char *output;          /* where to keep the trace; NULL: not kept */
  char **program;
  uint64_t limit_ms;        /* 0: no limit */
  uint64_t spin_limit_ms;   /* for a thread that only computes (plan.h) */
  bool silent;              /* discard the program's output */
  bool starts_others;       /* the program is not woven (a script, make) */
  omen_judgement judgement; /* out */
  char *said; /* out: what AddressSanitizer said, or NULL; the caller's */
} omen_replay;

/* False: it could not be done (err); the run's status is in `recording`. */
bool omen_replay_run (omen_replay *replay, omen_recording *recording,
                      omen_err *err);

#endif
