/* Dependences of a recording: what the sites say (log/depends.h), made into the
   `<-` and `^` of events while these are emitted.

     T1|r(count=3)|           free: only named accesses depend on it
     T1|w(count=4)|<-0
     T1|r(list=…)|            bound: everything later depends on it
     T1|w(x=1)|<-2

   An event names the last read of each access in the code that it depends on,
   and each such read names the previous one of the same access: so what depends
   on the last depends on all. Bound reads form a chain of the same kind, whose
   head every event names. That is more than what an event depends on, never
   less, and its size is linear.

   Events are named by their index while memory that one thread alone uses is
   still in the trace; `settle` translates the indices. */
#ifndef OMEN_RECORDING_EVENTS_DEPEND_H
#define OMEN_RECORDING_EVENTS_DEPEND_H

#include "base/map.h"
#include "recording/log/depends.h"
#include "trace/trace.h"

typedef struct omen_depending_event {
  omen_eid event;
  uint32_t first, count; /* in `on` */
} omen_depending_event;

typedef struct omen_depending {
  const omen_notes_depends *sites;
  omen_map last;  /* (actor, access) -> its last read */
  omen_ids heads; /* by actor: the last bound read or branch, or OMEN_NONE */
  OMEN_VEC (omen_depending_event) events;
  omen_ids on;     /* events */
  omen_ids before; /* by event: the one that stands for it if it is left out */
  omen_ids stays;  /* places whose writes say what they depend on */
} omen_depending;

void omen_depending_init (omen_depending *depending,
                          const omen_notes_depends *sites);
void omen_depending_fini (omen_depending *depending);

/* Events [first, end) are new: the actor's, from an item of that site (0:
   none). */
void omen_depending_events (omen_depending *depending, const omen_trace *trace,
                            uint32_t actor, uint32_t site, size_t first,
                            size_t end);
/* A store of this site left no event, and what it stored is not seen again:
   must everything depend on it? Then the caller emits a branch, and passes it
   to omen_depending_bound. */
bool omen_depending_lost (const omen_depending *depending, uint32_t actor,
                          uint32_t site);
void omen_depending_bound (omen_depending *depending, uint32_t actor,
                           uint32_t site, omen_eid branch);

/* Writes the extras of the trace. Event e is now moved[e], OMEN_NONE: left out;
   NULL: no event has moved. */
void omen_depending_settle (omen_depending *depending, omen_trace *trace,
                            const uint32_t *moved);

#endif
