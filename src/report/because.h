/* Private to report/: why a thread of a deadlock cannot continue.

     omen_because why = omen_because_of (trace, finding, e);
     if (why.kind) …            "condition": e is one of a deadlock
     omen_because_print (trace, &why, out);
                                "nobody notifies ready after f.c:12" */
#ifndef OMEN_REPORT_BECAUSE_H
#define OMEN_REPORT_BECAUSE_H

#include "report/reporter.h"

typedef struct omen_because {
  const char *kind; /* "lock", "own lock", "condition", "semaphore", "barrier",
                       "thread"; NULL: unknown */
  omen_eid event;
  const char *object; /* name of what it waits for */
  omen_tid holder;    /* of the lock; of a condition's lock, if that keeps the
                         thread waiting; or the joined thread */
  omen_eid since;     /* where the holder acquired the lock; for a condition the
                         last notify before the wait, else the first one after it,
                         which another thread took; or OMEN_NONE */
  bool ended;         /* the holder has ended */
  bool woken;         /* notified, but the lock of the wait is held */
  bool past, lost; /* `since` is a notify before the wait; …, with no waiter */
  uint64_t missing, of; /* barrier: `missing` of `of` threads did not arrive */
} omen_because;

omen_because omen_because_of (const omen_trace *trace,
                              const omen_finding *finding, omen_eid e);
void omen_because_print (const omen_trace *trace, const omen_because *why,
                         FILE *out);

#endif
