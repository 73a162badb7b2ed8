/* How a run failed, as far as its recording does not tell: by its exit code, by
   what a sanitizer says of it, by what it prints.

     omen_failing failing = { .output = true };
     for each run: omen_failing_look (&failing, &runner, &ending)

   The first run says what is usual. */
#ifndef OMEN_DRIVER_EXPLORE_FAILING_H
#define OMEN_DRIVER_EXPLORE_FAILING_H

#include "driver/check/checked.h"
#include "driver/explore/runner.h"

typedef struct omen_failing {
  bool output; /* what it prints counts */
  bool begun;  /* there is a first run, which … */
  int status;  /* … ended so */
  char *printed;
  size_t length;
} omen_failing;

/* True: it failed; `ending` says how, and is the caller's. */
bool omen_failing_look (omen_failing *failing, const omen_runner *runner,
                        omen_ending *ending);
/* The thread that a sanitizer stopped is the last that did something. */
void omen_failing_note_death (omen_trace *trace, const omen_ending *ending);
/* In some words; omen_free it. */
char *omen_failing_text (int status, const omen_ending *ending);
void omen_failing_fini (omen_failing *failing);

#endif
