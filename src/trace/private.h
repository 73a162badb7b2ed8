/* Leave out what cannot matter to others: accesses to memory that one thread
   alone uses, and orders that concern nobody.

     T1|w(x=1)|   T1|r(x=1)|   T2|r(y)|   T1|w(y=2)|      x is T1's: two events

   Why this changes no verdict (doc/recording.md): an atom that only T accesses,
   allocates and frees takes part in no conflict; T's reads of it see the same
   of T's own writes in every reordering, so that they are preserved under every
   model; and rules about blocks and ext only speak of T's own order. What
   remains is closed: an access that stays has all accesses to its atoms stay.

   With dependences there is one thing more: a value may come into such memory
   from a read that others influence, and out of it again. So places whose
   writes say what they depend on stay.

   An hb(o) orders only what comes after a later ha(o); in its own thread that
   is so anyway. Without one of another thread it goes, and so does an ha(o)
   before which no other thread has an hb(o). What is left of either orders the
   same.

   Uses: where a lock or the like is used, the recorder tells an access to it,
   for races with whoever makes, destroys or frees it (recording/events/uses.c).
   They go where no other thread does, and of those of one thread between two
   writes only the first and the last stay: they are reads, so that nothing else
   changes.

   The trace is not sealed yet, and has no extras. */
#ifndef OMEN_TRACE_PRIVATE_H
#define OMEN_TRACE_PRIVATE_H

#include "trace/trace.h"

typedef struct omen_privacy {
  const omen_ids *stays; /* places that stay */
  const omen_ids *uses;  /* events, in order */
  bool all;              /* all but uses that conflict with nothing stay */
} omen_privacy;

/* How many accesses went. `moved` (or NULL) gets for each event where it is
   now, or OMEN_NONE. */
uint64_t omen_trace_drop_private (omen_trace *trace, const omen_privacy *wish,
                                  omen_ids *moved);

#endif
