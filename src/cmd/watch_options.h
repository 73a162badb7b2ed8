/* The command line of omen watch. */
#ifndef OMEN_CMD_WATCH_OPTIONS_H
#define OMEN_CMD_WATCH_OPTIONS_H

#include "cmd/record_options.h"
#include "cmd/spec_list.h"

typedef struct omen_watch_request {
  omen_record_request record; /* output NULL: a file that is removed */
  const char *atomic;         /* as typed, or NULL */
  omen_spec_list specs;       /* property files to watch for verdicts of; not
                                 loaded yet */
  const char *breadth;        /* as typed, or NULL */
  uint32_t breadth_cuts;      /* 0: all */
  const char *whole;          /* as typed, or NULL */
  uint64_t whole_items;
  const char *on_finding;     /* a command, or NULL */
  const char *timeout;        /* as typed, or NULL */
  double timeout_seconds;
  bool no_verify, quiet, stats;
} omen_watch_request;

extern const struct argp omen_watch_argp;

#endif
