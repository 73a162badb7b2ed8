/* Dependences of a recording: what the sites say (log/depends.h), made into
   the `<-` and `^` of events while these are told.

     T1|r(count=3)|           free: only what says so depends on it
     T1|w(count=4)|<-0
     T1|r(list=…)|            bound: from now on everything depends on it
     T1|w(x=1)|<-2

   Of each access of the code its thread's last read counts, and each of those
   names the one before it: so what depends on the last depends on all. Bound
   reads are a chain of the same kind, whose head every event names. That is
   more than what an event depends on, never less, and its size is linear.

   Events are named by their index while memory that one thread alone uses is
   still there; `settle` knows where they have gone. */
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
  omen_ids before; /* by event: if it goes, this stands for it */
  omen_ids stays;  /* places whose writes say what they depend on */
} omen_depending;

void omen_depending_init (omen_depending *depending,
                          const omen_notes_depends *sites);
void omen_depending_fini (omen_depending *depending);

/* Events [first, end) are new: the actor's, of an item of that site (0: of
   none). */
void omen_depending_told (omen_depending *depending, const omen_trace *trace,
                          uint32_t actor, uint32_t site, size_t first,
                          size_t end);
/* A store of this site left no event, and what it stored is not seen again:
   must everything depend on it? Then a branch is to be told, and handed to
   omen_depending_bound. */
bool omen_depending_lost (const omen_depending *depending, uint32_t actor,
                          uint32_t site);
void omen_depending_bound (omen_depending *depending, uint32_t actor,
                           uint32_t site, omen_eid branch);

/* The extras of the trace. Event e is now moved[e], OMEN_NONE: left out; NULL:
   all are where they were. */
void omen_depending_settle (omen_depending *depending, omen_trace *trace,
                            const uint32_t *moved);

#endif
