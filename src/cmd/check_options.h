/* What the command line of omen check says.

   The place for --spec: a list of files here, filled by `parse`, loaded by
   `prepare` of check.c into the omen_check_job beside suppressions and baseline
   (errors are OMEN_EXIT_INPUT), and one more detector at the end of `detect` in
   check_trace.c. From there on (shortening, confirming, reports, suppressions of
   kind property, --fail-on) findings of all kinds go the same way; the judge and
   the plan switch over claims in judge.c and plan.c. */
#ifndef OMEN_CMD_CHECK_OPTIONS_H
#define OMEN_CMD_CHECK_OPTIONS_H

#include "cmd/record_options.h"
#include "predict/predict.h"

typedef struct omen_check_request {
  omen_record_request record;
  const char *folder; /* -o: "omen.out" unless given */
  const char *suppress, *baseline;
  const char *model, *runs_text, *fail_on, *jobs, *timeout, *colour;
  unsigned runs;      /* how often the program is recorded */
  unsigned fail_kinds; /* bit k: findings of kind k make the exit code 1 */
  bool model_given, no_confirm, quiet;
  omen_predict_options options;
} omen_check_request;

extern const struct argp omen_check_argp;

#endif
