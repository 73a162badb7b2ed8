/* Which process of a recorded run a trace is of, in a way that names the same
   process of the next run.

     omen_origin origin;
     omen_origin_find (&origin, "omen.out/run.omen.4711");
     omen_origin_name (&origin, OMEN_NAME_EXACT, text);     "5e3a… 2"

   A run may have many processes (omen check -- make test). They are known by
   hashes of what was executed (omen_file_process of wire/recording.h) and, if
   several have the same, by their number among them: files are in the order of
   process ids. */
#ifndef OMEN_DRIVER_REPLAY_ORIGIN_H
#define OMEN_DRIVER_REPLAY_ORIGIN_H

#include "base/defs.h"

typedef struct omen_origin {
  uint64_t exact, loose;               /* 0: not known */
  unsigned exact_number, loose_number; /* among those that have it, from 1 */
  bool first; /* of the run's processes, the one that began it */
} omen_origin;

/* How exactly it is named: the same program with the same arguments in the same
   folder; the same program; the first woven process, whatever it is. */
typedef enum omen_origin_way {
  OMEN_NAME_EXACT,
  OMEN_NAME_LOOSE,
  OMEN_NAME_FIRST
} omen_origin_way;

enum { OMEN_ORIGIN_NAME = 40 };

/* Looks at the files beside it; those of other runs have other names. */
void omen_origin_find (omen_origin *origin, const char *trace);
/* As the line `process` of a plan has it. */
void omen_origin_name (const omen_origin *origin, omen_origin_way way,
                       char text[OMEN_ORIGIN_NAME]);
/* Is the trace of that process? Not asked with OMEN_NAME_FIRST. */
bool omen_origin_is (const omen_origin *origin, omen_origin_way way,
                     const char *trace);

#endif
