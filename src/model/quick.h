/* Quick answers, over the whole trace, without search: most questions end here.

   Two vector clocks an event, both built in one walk over the trace:
   - must:     what is in every reordering that has the event next. Program
               order, rules 3 and 4 where they leave no choice, and the writes
               of the reads before it (under value: those with a single write of
               their value).
   - observed: what is in a reordering that does everything as observed: in
               addition, the notify, up or lock holder that served in the trace.

   Events that are next together need the join of their clocks, closed under
   what the locks force. If the must closure includes one of them, there is no
   reordering. If the observed closure (every section of a lock but the last
   ends) includes none, its events in trace order are a reordering. Cost:
   O(threads) and a binary search for each lock held and thread that uses it, in
   each round of the closure, whatever the length of the trace.

   Sources: weak happens-before of the JMPaX paper; the closure for reorderings
   that keep the order of critical sections is that of sync-preserving race
   prediction, here with all kinds of synchronisation. */
#ifndef OMEN_MODEL_QUICK_H
#define OMEN_MODEL_QUICK_H

#include "model/model.h"

typedef struct omen_quick omen_quick;

/* Shared by any number of threads once made. */
omen_quick *omen_quick_new (const omen_model *model, omen_preserve how);
/* Only for omen_quick_must and omen_quick_must_before: what comes before an
   event in synchronised order in every reordering that has both (without
   fences). For traces in which nothing but synchronisation orders
   (order_race.h, tries). */
omen_quick *omen_quick_sync_new (const omen_model *model, omen_preserve how);
void omen_quick_free (omen_quick *quick);

/* Can these events be next together? FOUND: `cut` (one count a thread, caller's
   room for thread_count) is the reordering, in the order of the trace. ABSENT
   is a proof. UNKNOWN: ask the engine. */
omen_verdict omen_quick_next (const omen_quick *quick, const omen_eid *next,
                              uint32_t count, uint32_t *cut);

/* Can `first` happen, and `next`, of another thread, then be next? */
omen_verdict omen_quick_after (const omen_quick *quick, omen_eid first,
                               omen_eid next, uint32_t *cut);

/* Is a in every reordering that has b next? A no proves nothing. */
bool omen_quick_must_before (const omen_quick *quick, omen_eid a, omen_eid b);

/* A reordering in trace order that has these events and little beyond what they
   need; it always exists. */
void omen_quick_taken (const omen_quick *quick, const omen_eid *events,
                       uint32_t count, uint32_t *cut);

/* The events of a cut in the order of the trace, appended. */
void omen_quick_sequence (const omen_quick *quick, const uint32_t *cut,
                          omen_ids *events);

/* The clocks themselves: for each thread, how many of its events come before e
   (for e's own thread, a lower bound). */
const uint32_t *omen_quick_must (const omen_quick *quick, omen_eid e);
const uint32_t *omen_quick_observed (const omen_quick *quick, omen_eid e);

#endif
