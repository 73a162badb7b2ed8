/* From a trace that shows a failure to the smallest one around it.

     static bool
     disagree (const omen_trace *trace, void *context) …   still fails?

     omen_trace *small = oracle_shrink (trace, disagree, NULL);
     oracle_keep (small, "test/data/regress", "oracle.1234", "what went wrong",
   &err); omen_trace_free (small);

   Leaves out threads, objects, runs of events, pairs of events, initial values,
   values, dependences, orders and locations as long as the trace stays
   well-formed and the predicate says that it still fails; then gives what is
   left short names. Cost: some hundred calls of the predicate for 16 events,
   quadratic in their number. */
#ifndef OMEN_TEST_ORACLE_SHRINK_H
#define OMEN_TEST_ORACLE_SHRINK_H

#include "trace/trace.h"

typedef bool oracle_fails (const omen_trace *trace, void *context);

/* The trace itself must fail. A new trace, the caller's to free. */
omen_trace *oracle_shrink (const omen_trace *trace, oracle_fails *fails,
                           void *context);

/* Write FOLDER/NAME.t, the note (one line) as a comment on top. */
bool oracle_keep (const omen_trace *trace, const char *folder, const char *name,
                  const char *note, omen_err *err);

#endif
