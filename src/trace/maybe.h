/* Synchronisation that may not exist: hb(o,maybe) and ha(o,maybe) are where
   threads entered a library o that was not instrumented, and returned from it;
   it may have synchronised inside, or not. Readers of a trace treat them as hb
   and ha; the loose trace made here ignores them (doc/semantics.md, section 5).

     if (omen_trace_has_maybe (trace)) {
       omen_trace loose;
       omen_trace_loosen (&loose, trace);        each is a branch()
       …
       omen_trace_loosen_end (&loose);
     }

   The loose trace has the same events with the same ids. It shares everything
   but the array of events with the trace, which must outlive it. */
#ifndef OMEN_TRACE_MAYBE_H
#define OMEN_TRACE_MAYBE_H

#include "trace/trace.h"

bool omen_trace_has_maybe (const omen_trace *trace);
void omen_trace_loosen (omen_trace *loose, const omen_trace *trace);
void omen_trace_loosen_end (omen_trace *loose);

#endif
