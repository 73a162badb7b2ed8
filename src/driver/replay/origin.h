/* Identifies the process of a recorded run that a trace belongs to, so that the
   same process is found in the next run.

     omen_origin origin;
     omen_origin_find (&origin, "omen.out/run.omen.4711");
     omen_origin_name (&origin, OMEN_NAME_EXACT, text);     "5e3a… 2"

   A run may have many processes (omen check -- make test). They are identified
   by hashes of what was executed (omen_file_process of wire/recording.h) and,
   if several have the same hash, by their number among these, in the order of
   process ids. */
#ifndef OMEN_DRIVER_REPLAY_ORIGIN_H
#define OMEN_DRIVER_REPLAY_ORIGIN_H

#include "base/defs.h"

typedef struct omen_origin {
  uint64_t exact, loose;               /* 0: not known */
  unsigned exact_number, loose_number; /* among equal ones, from 1 */
  bool first;                          /* it is the first process of the run */
} omen_origin;

/* How exactly the process is identified: same program, arguments and directory;
   same program; the first woven process. */
typedef enum omen_origin_way {
  OMEN_NAME_EXACT,
  OMEN_NAME_LOOSE,
  OMEN_NAME_FIRST
} omen_origin_way;

enum { OMEN_ORIGIN_NAME = 40 };

/* Reads the files of the same run in the same directory. */
void omen_origin_find (omen_origin *origin, const char *trace);
/* Formats the line `process` of a plan. */
void omen_origin_name (const omen_origin *origin, omen_origin_way way,
                       char text[OMEN_ORIGIN_NAME]);
/* Is the trace of that process? Not for OMEN_NAME_FIRST. */
bool omen_origin_is (const omen_origin *origin, omen_origin_way way,
                     const char *trace);

#endif
