/* What the command line of omen check says. */
#ifndef OMEN_CMD_CHECK_OPTIONS_H
#define OMEN_CMD_CHECK_OPTIONS_H

#include "cmd/record_options.h"
#include "cmd/spec_list.h"

typedef struct omen_check_request {
  omen_record_request record;
  const char *folder; /* -o: "omen.out" unless given */
  const char *suppress, *baseline;
  const char *model, *runs_text, *fail_on, *jobs, *timeout, *colour,
      *group;
  unsigned runs;      /* how often the program is recorded */
  unsigned fail_kinds; /* bit k: findings of kind k make the exit code 1 */
  bool model_given, no_confirm, strict, quiet;
  bool by_block; /* atomicity: one finding for each block */
  omen_spec_list specs;
  omen_predict_options options;
} omen_check_request;

extern const struct argp omen_check_argp;

#endif
