/* The STD form of the RAPID tools: `T0|r(V12)|345`, one event a line.

   STD says r, w, acq, rel, fork, join, begin and end of whole variables, with
   whole numbers for locations; no values, no comments. So:
   - threads are T0, T1, … (kept if all are named so), other names keep only
     letters, digits and a few marks, made different where they would clash;
   - a location that is a number is kept if all are, else locations are
     numbered in order of first use;
   - a byte range is a variable of its own: x+4:2 is `x.4`. Events that STD
     cannot express are refused, naming the first one, or with `lossy` replaced
     by the nearest ones, or left out:

     ar aw rmw       r, w, r and w
     racq rrel       acq rel; left out while another reader is inside
     wait wake       rel acq of their lock
     free            w
     r w of a range that overlaps others: one of each part
     all others      left out

   Cost: one pass to judge, one to write. */
#ifndef OMEN_IO_STD_WRITE_H
#define OMEN_IO_STD_WRITE_H

#include "trace/trace.h"

#include <stdio.h>

/* What was done with events that STD cannot express, and with names. */
typedef struct omen_std_report {
  uint32_t dropped[OMEN_KINDS], lowered[OMEN_KINDS];
  uint32_t values;     /* events whose value is not written */
  bool threads, names; /* some were renamed */
  bool locations;      /* were numbered */
} omen_std_report;

typedef struct omen_std_options {
  bool lossy;
  omen_std_report *report; /* filled in; may be NULL */
} omen_std_options;

/* False: err names the event that cannot be expressed, or the file. */
bool omen_std_write (const omen_trace *trace, FILE *out,
                     const omen_std_options *options, omen_err *err);

/* The i-th note for the user, one short sentence; false if there are no
   more. */
bool omen_std_note (const omen_std_report *report, unsigned i, char *buffer,
                    size_t room);

#endif
