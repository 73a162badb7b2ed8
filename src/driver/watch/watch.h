/* omen watch: analyses a program while it runs.

     omen_watch_request request = { .breadth = OMEN_WATCH_BREADTH, … };
     return omen_watch_program (&request);

   Prints its own messages. */
#ifndef OMEN_DRIVER_WATCH_WATCH_H
#define OMEN_DRIVER_WATCH_WATCH_H

#include "driver/recording.h"
#include "driver/spec_list.h"

/* Defaults: cuts a level; items of a run that is walked as a whole. */
#define OMEN_WATCH_BREADTH 10000u
#define OMEN_WATCH_WHOLE 8000000u

typedef struct omen_watch_request {
  omen_record_request record; /* output NULL: a temporary file */
  const omen_atomic *atomic;
  omen_spec_list specs; /* loaded properties to watch; none: watch for atomicity
                           violations */
  uint32_t breadth;     /* 0: all */
  uint64_t whole;       /* limit of items to walk a whole run at the end */
  const char *on_finding; /* a command, or NULL */
  double timeout;         /* seconds; 0: none */
  bool no_verify, quiet, stats;
} omen_watch_request;

/* The exit code. */
int omen_watch_program (const omen_watch_request *request);

#endif
