/* Private to wellformed*.c and repair.c: the state of a walk over a trace, and
   the functions of each file. Every omen_check_… function checks one event; it
   returns false and fills in `why` if the event is not allowed there. */
#ifndef OMEN_TRACE_WELLFORMED_CHECK_H
#define OMEN_TRACE_WELLFORMED_CHECK_H

#include "trace/atoms.h"
#include "trace/holds.h"
#include "trace/wellformed.h"

/* Why the next event of a thread needs a closer check. */
enum {
  OMEN_THREAD_UNBORN = 1, /* its fork has not come yet */
  OMEN_THREAD_JOINED = 2,
  OMEN_THREAD_WAITING = 4, /* its last event is a wait */
  OMEN_THREAD_FORKED = 8,
  OMEN_THREAD_STUCK = 16 /* its last event says `stuck` */
};

typedef struct omen_check_thread {
  uint8_t flags;
  omen_eid wait;           /* WAITING: the wait … */
  uint32_t notifies, alls; /* … and how many notifies came before it */
  uint32_t *open; /* number of open blocks, by label, then by function */
} omen_check_thread;

/* The last known value of an atom. */
typedef struct omen_check_atom {
  omen_atom_value value;
  omen_eid origin; /* the write, or the first read; OMEN_NONE: an init line */
  bool written, touched;
} omen_check_atom;

/* The notifies of a condition so far; `next` leads to the first one at or after
   each that no return has used yet (union-find). */
typedef struct omen_check_condition {
  omen_ids next;
  uint32_t alls;
} omen_check_condition;

typedef struct omen_check_semaphore {
  uint64_t count;
  uint32_t start; /* count before any seminit */
} omen_check_semaphore;

typedef struct omen_check_barrier {
  uint32_t round;         /* the current one, from 0 */
  uint64_t size, arrived; /* of the current round */
} omen_check_barrier;

/* Acquires of a lock while another thread held it: the first one, and how
   many. */
typedef struct omen_check_overlap {
  omen_eid event; /* OMEN_NONE: never */
  omen_tid holder;
  uint32_t count;
} omen_check_overlap;

typedef struct omen_wellformed_check {
  const omen_trace *trace;
  const omen_eid *order; /* NULL: as in the file */
  omen_err why;          /* filled in by the first failure */
  omen_eid failed;       /* its event, or OMEN_NONE */
  bool unreturned;       /* … since it is no return from a wait */

  omen_check_thread *threads;
  omen_atoms atoms;
  omen_check_atom *contents; /* by atom */
  omen_holds holds;
  uint8_t *irregular;
  omen_check_overlap *overlaps; /* by lock */
  bool overlapped;              /* some lock, regular or not */
  omen_check_condition *conditions;
  omen_check_semaphore *semaphores;
  omen_check_barrier *barriers;
  omen_map arrived; /* (thread, barrier) -> round of its latest arrival */
  size_t extra;     /* next one in trace->extras */
  OMEN_VEC (omen_misused) misuses;
} omen_wellformed_check;

void omen_check_init (omen_wellformed_check *check, const omen_trace *trace,
                      const omen_eid *order);
void omen_check_fini (omen_wellformed_check *check);
bool omen_check_event (omen_wellformed_check *check, omen_eid e);
/* Check the whole trace; stops at the first offence. */
bool omen_check_run (omen_wellformed_check *check);

/* Set `why`; always returns false. */
bool omen_check_fail (omen_wellformed_check *check, omen_eid e,
                      const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
/* "event 2 (T2:0 rel(l) at f.c:7)". */
#define OMEN_CHECK_EVENT_MAX 384
const char *omen_check_describe (const omen_trace *trace, omen_eid e,
                                 char buffer[OMEN_CHECK_EVENT_MAX]);
void omen_check_misuse (omen_wellformed_check *check, omen_eid e,
                        unsigned word);

/* wellformed_locks.c */
bool omen_check_lock (omen_wellformed_check *check, omen_eid e);
bool omen_check_try (omen_wellformed_check *check, omen_eid e);
void omen_check_request (omen_wellformed_check *check, omen_eid e);

/* wellformed_sync.c */
bool omen_check_wait (omen_wellformed_check *check, omen_eid e);
bool omen_check_return (omen_wellformed_check *check, omen_eid e);
void omen_check_notify (omen_wellformed_check *check, omen_eid e);
void omen_check_count_semaphores (omen_wellformed_check *check);
bool omen_check_semaphore_step (omen_wellformed_check *check, omen_eid e);
bool omen_check_arrive (omen_wellformed_check *check, omen_eid e);
bool omen_check_depart (omen_wellformed_check *check, omen_eid e);

/* wellformed_values.c */
void omen_check_initial (omen_wellformed_check *check);
bool omen_check_read (omen_wellformed_check *check, omen_eid e,
                      unsigned value_kind, uint64_t value);
void omen_check_write (omen_wellformed_check *check, omen_eid e,
                       unsigned value_kind, uint64_t value);
bool omen_check_alloc (omen_wellformed_check *check, omen_eid e);
bool omen_check_depends (omen_wellformed_check *check, omen_eid e);

/* base_order.c */
/* The base order, as event ids: no regular lock is acquired while another
   thread holds it. NULL if some thread would be blocked forever. */
omen_eid *omen_base_order_find (const omen_trace *trace,
                                const uint8_t *irregular);
/* The first read in this order that sees another write than in the order of the
   file; OMEN_NONE if there is none. */
omen_eid omen_base_order_misread (const omen_trace *trace,
                                  const omen_atoms *atoms,
                                  const omen_eid *order);

#endif
