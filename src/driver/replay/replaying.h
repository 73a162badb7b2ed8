/* One replay: the plan of a witness is forced onto the program, and the trace
   that this gives is judged.

   The trace may be of any process that the program starts. That one is looked
   for by its program, folder and arguments; if it does not come, by its program
   alone, in a second run. A program that is woven itself is simply the first.

   Prints nothing. Bounded: a program that does not end by itself is ended after
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
  const omen_spec_list *specs; /* for claims about properties; may be empty */
  const char *then;            /* free, serial, stop or exit: how it goes on */
  const char *output; /* where the trace is left instead; NULL: it is not */
  char **program;
  uint64_t limit_ms;        /* 0: no limit */
  uint64_t patience_ms;     /* for a thread that only computes (plan.h) */
  bool silent;              /* the program's words go nowhere */
  bool starts_others;       /* the program is a script, or make: not woven */
  omen_judgement judgement; /* out */
  char *said; /* out: what AddressSanitizer said, or NULL; the caller's */
} omen_replay;

/* False: it could not be tried (err); the run's status is in `recording`. */
bool omen_replay_run (omen_replay *replay, omen_recording *recording,
                      omen_err *err);

#endif
