/* Is the trace one that a run can have left (doc/semantics.md, section 2)?

     omen_base_order base;
     if (!omen_wellformed (trace, &base, &err))   err.what is, for example,
       …       "event 2 (T2:0 rel(l) at f.c:7): release of a lock that nobody
                holds"
     omen_base_order_fini (&base);

   One pass over the events in the order of the file. Only if a lock is taken
   while another thread holds it is a base order looked for, and the events
   walked again in that order.

   Also what such a pass learns on its way: which locks are irregular, how many
   units each semaphore had at the start, what was misused. */
#ifndef OMEN_TRACE_WELLFORMED_H
#define OMEN_TRACE_WELLFORMED_H

#include "trace/trace.h"

/* Misuse, in the words of doc/semantics.md, section 4; the numbers are
   omen_misuse's of witness/witness.h. */
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
  char warning[640];               /* empty: nothing had to be tolerated */
} omen_base_order;

/* False: err names the first offending event. `base` may be NULL; it is filled
   in on success only, and then the caller's to fini. */
bool omen_wellformed (const omen_trace *trace, omen_base_order *base,
                      omen_err *err);
void omen_base_order_fini (omen_base_order *base);

#endif
