/* Private to report/: why each thread of a deadlock cannot go on.

     omen_because why = omen_because_of (trace, finding, e);
     if (why.kind) …            "condition": e is one of a deadlock
     omen_because_print (trace, &why, out);
                                "nobody notifies ready after f.c:12" */
#ifndef OMEN_REPORT_BECAUSE_H
#define OMEN_REPORT_BECAUSE_H

#include "report/reporter.h"

typedef struct omen_because {
  const char *kind; /* "lock", "own lock", "condition", "semaphore", "barrier",
                       "thread"; NULL: no reason is known */
  omen_eid event;
  const char *object;   /* its name */
  omen_tid holder;      /* of the lock; of a condition, if it was notified and
                           waits for its lock; the thread that is joined */
  omen_eid since;       /* the holder took it there; of a condition: the last
                           notify that came before the wait, or else the first
                           one, which another thread got; or OMEN_NONE */
  bool ended;           /* the holder has */
  bool woken;           /* of a condition whose lock is held: it was notified */
  bool past, lost;      /* `since` is a notify from before the wait; nobody
                           waited then */
  uint64_t missing, of; /* barrier: so many of so many did not come */
} omen_because;

omen_because omen_because_of (const omen_trace *trace,
                              const omen_finding *finding, omen_eid e);
void omen_because_print (const omen_trace *trace, const omen_because *why,
                         FILE *out);

#endif
