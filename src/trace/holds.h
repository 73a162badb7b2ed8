/* Which thread holds which lock, during a walk over a trace; computed from each
   thread's own events (doc/semantics.md, section 1, "Locks").

     omen_lock_step step = omen_holds_step (holds, event);
     if (step.effect == OMEN_LOCK_TAKE) …   an outermost acquire

   The walk only reports what an operation does and what is irregular about it;
   the caller decides whether to refuse, tolerate or record it. Cost: one hash
   probe an operation. */
#ifndef OMEN_TRACE_HOLDS_H
#define OMEN_TRACE_HOLDS_H

#include "base/map.h"
#include "trace/trace.h"

typedef enum omen_lock_effect {
  OMEN_LOCK_NOTHING, /* acquires and releases nothing: no lock operation, req, a
                        failed try, or a wake whose wait released nothing */
  OMEN_LOCK_TAKE,    /* outermost acquire */
  OMEN_LOCK_GIVE,    /* outermost release */
  OMEN_LOCK_NESTED,  /* counts depth only */
  OMEN_LOCK_STRAY    /* release or wait, lock not held by the thread */
} omen_lock_effect;

typedef struct omen_lock_step {
  omen_lid lock; /* OMEN_NONE if the event has none */
  uint8_t mode;
  uint8_t effect; /* omen_lock_effect */
  bool odd;  /* not valid in its thread: the lock is irregular (a STRAY: unless
                no thread holds it) */
  bool busy; /* TAKE while another thread holds it in a conflicting mode */
  uint32_t hold; /* in holds.data, of this thread and lock; or OMEN_NONE */
} omen_lock_step;

/* One thread's hold on one lock. */
typedef struct omen_hold {
  omen_tid thread;
  omen_lid lock;
  uint32_t depth[2]; /* by mode */
  uint32_t saved;    /* depth before a wait(c,l), OMEN_NONE outside one */
  uint32_t tag[2];   /* free for the user, by mode */
} omen_hold;

typedef struct omen_lock_state {
  uint32_t holders[2]; /* threads that hold it, by mode */
} omen_lock_state;

typedef struct omen_holds {
  omen_map map; /* (thread, lock) -> hold */
  OMEN_VEC (omen_hold) holds;
  omen_lock_state *locks; /* by lock */
  uint32_t *held;         /* by thread: locks held, each once a mode */
} omen_holds;

void omen_holds_init (omen_holds *holds, const omen_trace *trace);
void omen_holds_fini (omen_holds *holds);

/* What the event does, done. */
omen_lock_step omen_holds_step (omen_holds *holds, const omen_event *event);
/* What it would do, not done. */
omen_lock_step omen_holds_look (omen_holds *holds, const omen_event *event);

/* A thread other than t that holds the lock, or OMEN_NONE. Scans all holds. */
omen_tid omen_holds_other (const omen_holds *holds, omen_lid lock, omen_tid t);

/* Does any thread hold the lock: in write mode; in any mode? */
static inline bool
omen_holds_written (const omen_holds *holds, omen_lid lock)
{
  return holds->locks[lock].holders[OMEN_LOCK_WRITE];
}

static inline bool
omen_holds_any (const omen_holds *holds, omen_lid lock)
{
  return holds->locks[lock].holders[OMEN_LOCK_WRITE]
         || holds->locks[lock].holders[OMEN_LOCK_READ];
}

#endif
