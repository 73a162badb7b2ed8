/* Orders that may be none: hb(o,maybe) and ha(o,maybe) say where threads went
   into a library o that was not woven, and came back. It may have synchronised
   there, or not. Whoever reads a trace as it is takes them for hb and ha; this
   is the trace that takes them for nothing (doc/semantics.md, section 5).

     if (omen_trace_has_maybe (trace)) {
       omen_trace loose;
       omen_trace_loosen (&loose, trace);        each is a branch()
       …
       omen_trace_loosen_end (&loose);
     }

   It shares everything but its events with the trace, which must outlive it and
   has the same events by the same ids. */
#ifndef OMEN_TRACE_MAYBE_H
#define OMEN_TRACE_MAYBE_H

#include "trace/trace.h"

bool omen_trace_has_maybe (const omen_trace *trace);
void omen_trace_loosen (omen_trace *loose, const omen_trace *trace);
void omen_trace_loosen_end (omen_trace *loose);

#endif
