/* Failures that a recording does not show: by exit code, sanitizer report, or
   output.

     omen_failing failing = { .output = true };
     for each run: omen_failing_look (&failing, &runner, &ending)

   The first run is the reference. */
#ifndef OMEN_DRIVER_EXPLORE_FAILING_H
#define OMEN_DRIVER_EXPLORE_FAILING_H

#include "driver/check/checked.h"
#include "driver/explore/runner.h"

typedef struct omen_failing {
  bool output; /* compare output */
  bool begun;  /* the first run was seen, with … */
  int status;  /* … this exit status */
  char *printed;
  size_t length;
} omen_failing;

/* True: it failed; `ending` describes it and is owned by the caller. */
bool omen_failing_look (omen_failing *failing, const omen_runner *runner,
                        omen_ending *ending);
/* Sets the death of the trace: the thread that a sanitizer stopped executed the
   last event. */
void omen_failing_note_death (omen_trace *trace, const omen_ending *ending);
/* A short description; the caller frees it with omen_free. */
char *omen_failing_text (int status, const omen_ending *ending);
void omen_failing_fini (omen_failing *failing);

#endif
