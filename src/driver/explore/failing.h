/* Failures that a recording does not show: by exit code, sanitizer report, or
   output.

     omen_failing failing = { .output = true };
     for each run: omen_failing_look (&failing, &runner, &ending)
                   omen_failing_look_inside (&failing, trace, &ending)

   The first run is the reference. */
#ifndef OMEN_DRIVER_EXPLORE_FAILING_H
#define OMEN_DRIVER_EXPLORE_FAILING_H

#include "driver/check/checked.h"
#include "driver/explore/runner.h"
#include "driver/explore/violated.h"

typedef struct omen_failing {
  bool output; /* compare output */
  bool begun;  /* the first run was seen, with … */
  int status;  /* … this exit status */
  char *printed;
  size_t length;
  const omen_spec_list *specs; /* properties that must not be violated */
  omen_violations verdicts;    /* of the run that was analysed last */
} omen_failing;

/* True: it failed; `ending` describes it and is owned by the caller. */
bool omen_failing_look (omen_failing *failing, const omen_runner *runner,
                        omen_ending *ending);
/* Adds the verdicts of the properties to `ending`. Sets the death of the trace:
   the thread that a sanitizer stopped executed the last event. NULL: there is
   no trace. */
void omen_failing_look_inside (omen_failing *failing, omen_trace *trace,
                               omen_ending *ending);
/* A short description; the caller frees it with omen_free. */
char *omen_failing_text (int status, const omen_ending *ending);
void omen_failing_fini (omen_failing *failing);

#endif
