/* Is the trace one that an execution can have produced (doc/semantics.md,
   section 2)?

     omen_base_order base;
     if (!omen_wellformed (trace, &base, &err))   err.what is, for example,
     …       "event 2 (T2:0 rel(l) at f.c:7): release of a lock that nobody
     holds"
     omen_base_order_fini (&base);

   One pass over the events in the order of the file. Only if a lock is acquired
   while another thread holds it, a base order is computed and the events are
   checked again in that order.

   The pass also finds out which locks are irregular, the initial count of each
   semaphore, and misuses of locks. */
#ifndef OMEN_TRACE_WELLFORMED_H
#define OMEN_TRACE_WELLFORMED_H

#include "trace/trace.h"

/* The kinds of misuse of doc/semantics.md, section 4; numbered as omen_misuse
   of witness/witness.h. */
enum {
  OMEN_WORD_TAKEN_TWICE,
  OMEN_WORD_NOT_HOLDER,
  OMEN_WORD_DESTROYED_HELD,
  OMEN_WORD_WAIT_WITHOUT_LOCK,
  OMEN_WORD_HELD_AT_EXIT
};
typedef struct omen_misused {
  omen_eid event;
  uint32_t word; /* OMEN_WORD_… */
} omen_misused;

typedef struct omen_base_order {
  omen_eid *order;     /* by position; NULL: the order of the file */
  uint32_t *position;  /* by event; NULL likewise */
  uint8_t *irregular;  /* by lock: 1 if it is */
  uint32_t *sem_start; /* by semaphore: count before any seminit */
  OMEN_VEC (omen_misused) misuses; /* in the base order */
  char warning[640];               /* empty if nothing had to be tolerated */
} omen_base_order;

/* False: err describes the first offending event. `base` may be NULL; it is
   filled in only on success, and then has to be freed with
   omen_base_order_fini. */
bool omen_wellformed (const omen_trace *trace, omen_base_order *base,
                      omen_err *err);
void omen_base_order_fini (omen_base_order *base);

#endif
