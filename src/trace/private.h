/* Leave out events that cannot affect other threads: accesses to memory that
   only one thread uses, and synchronisation that orders no threads.

     T1|w(x=1)|   T1|r(x=1)|   T2|r(y)|   T1|w(y=2)|      x is T1's: two events

   Why no verdict changes (doc/recording.md): an atom that only T accesses,
   allocates and frees is in no conflict; T's reads of it see the same writes of
   T in every reordering and so are preserved under every model; and the rules
   for blocks and ext only concern T's own order. If an access is kept, so are
   all accesses to its atoms.

   With dependences, a value that other threads influence may pass through such
   memory. So places whose writes have dependences are kept (`stays`).

   An hb(o) orders only what follows a later ha(o) of another thread. Without
   one it is dropped, and so is an ha(o) that no hb(o) of another thread
   precedes; what is left orders the same.

   Uses: where a lock or similar object is used, the recorder emits a read of
   its place, to find races with the thread that creates, destroys or frees it
   (recording/events/uses.c). A use is dropped if nothing conflicts with it. Of
   the uses of one thread between two writes only the first and the last are
   kept; as they are reads, this changes nothing else.

   Functions: if nothing is left between ENTER and EXIT, both are dropped, where
   that is asked for.

   The trace is not sealed yet, and has no extras. */
#ifndef OMEN_TRACE_PRIVATE_H
#define OMEN_TRACE_PRIVATE_H

#include "trace/trace.h"

typedef struct omen_privacy {
  const omen_ids *stays; /* places that stay */
  const omen_ids *uses;  /* events, in order */
  bool functions;        /* drop those without other events */
  bool all;              /* drop only uses that nothing conflicts with */
} omen_privacy;

/* Returns how many accesses were dropped. `moved` (or NULL) gets the new index
   of each event, or OMEN_NONE. */
uint64_t omen_trace_drop_private (omen_trace *trace,
                                  const omen_privacy *request, omen_ids *moved);

#endif
