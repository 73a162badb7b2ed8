/* Make a trace that is not quite an execution, as loggers produce them,
   well-formed: as little as possible is dropped, added, moved, renamed or
   changed, and all of it is listed.

     T2|w(x)|  T1|fork(T2)|          the fork is moved before T2's first event
     T1|rel(l)|                      dropped, if no thread holds l
     T1|fork(T2)| … T1|join(T2)| … T1|fork(T2)|     another thread, T2~2

   The repair for each offence is in doc/forms.md. Dropping an event can lose an
   order or a lock that protected something: what is then predicted from the
   trace need not be possible in the program. */
#ifndef OMEN_TRACE_REPAIR_H
#define OMEN_TRACE_REPAIR_H

#include "trace/trace.h"

typedef enum omen_repair_kind {
  OMEN_REPAIR_DROPPED,
  OMEN_REPAIR_ADDED,
  OMEN_REPAIR_MOVED,
  OMEN_REPAIR_CHANGED,
  OMEN_REPAIR_RENAMED, /* threads; all others count events */
  OMEN_REPAIRS
} omen_repair_kind;

/* All repairs of one kind for one reason. */
typedef struct omen_repair {
  omen_repair_kind kind;
  char why[96];
  char first[384]; /* "event 7 (T2 rel(l) at f.c:7)", index in the original
                      trace */
  uint64_t count;
} omen_repair;

typedef struct omen_repairs {
  OMEN_VEC (omen_repair) list;
  uint64_t counts[OMEN_REPAIRS];
} omen_repairs;

void omen_repairs_fini (omen_repairs *repairs);

/* Takes ownership of the sealed trace. Returns a sealed, well-formed one (the
   same if it was so already) and adds what was done to `repairs`; or returns
   NULL with err filled in. */
omen_trace *omen_trace_repair_take (omen_trace *trace, omen_repairs *repairs,
                                    omen_err *err);

#endif
