/* omen watch: what a program does is analysed while it runs.

     omen_watch_request request = { .breadth = OMEN_WATCH_BREADTH, … };
     return omen_watch_program (&request);

   Prints its own messages. */
#ifndef OMEN_DRIVER_WATCH_WATCH_H
#define OMEN_DRIVER_WATCH_WATCH_H

#include "driver/recording.h"
#include "driver/spec_list.h"

#define OMEN_WATCH_BREADTH                                                     \
  10000u /* cuts a level, unless something else is said */
#define OMEN_WATCH_WHOLE                                                       \
  8000000u /* items of a run that is walked as a whole                         \
            */

typedef struct omen_watch_request {
  omen_record_request record; /* output NULL: a file that is removed */
  const omen_atomic *atomic;
  omen_spec_list specs; /* property files to watch for verdicts of; loaded.
                           None: atomicity violations */
  uint32_t breadth;     /* 0: all */
  uint64_t whole;       /* at the end, a run of so many items is walked whole */
  const char *on_finding; /* a command, or NULL */
  double timeout;         /* seconds; 0: none */
  bool no_verify, quiet, stats;
} omen_watch_request;

/* The exit code. */
int omen_watch_program (const omen_watch_request *request);

#endif
